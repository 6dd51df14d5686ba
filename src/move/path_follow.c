// Path and waypoint following; described in the header.
#include "ploy/move/path_follow.h"

#include <float.h>

#include "move/steer_internal.h"

static const char *const path_follow_forms[] = {"rabbit", "predictive", "tube"};

static const ploy_field path_follow_fields[] = {
    PLOY_FIELD_ENUM(ploy_path_follow_def, form, PLOY_PATH_FOLLOW_RABBIT, path_follow_forms,
                    "how the point to seek is found"),
    PLOY_FIELD_DEF(ploy_path_follow_def, arrive, ploy_arrive_fields, "how it goes"),
    PLOY_FIELD_F32(ploy_path_follow_def, ahead, 2, -1e6, 1e6, "m",
                   "distance along the path from the nearest point to the one sought"),
    PLOY_FIELD_F32(ploy_path_follow_def, predict_time, 0.1, 0, 100, "s",
                   "look ahead of the predictive form and the tube"),
    PLOY_FIELD_F32(ploy_path_follow_def, tube_radius, 1, 0, PLOY_POSITION_MAX_M, "m",
                   "distance from the path that is near enough"),
    PLOY_FIELD_F32(ploy_path_follow_def, window, 0, 0, PLOY_POSITION_MAX_M, "m",
                   "stretch searched to each side of the last place; 0 means all"),
    PLOY_FIELD_BOOL(ploy_path_follow_def, stop, true, "stop at the end of an open path"),
};

static const ploy_field path_follow_waypoints_fields[] = {
    PLOY_FIELD_DEF(ploy_waypoints_def, arrive, ploy_arrive_fields, "how it goes"),
    PLOY_FIELD_F32(ploy_waypoints_def, radius, 1, 0, PLOY_POSITION_MAX_M, "m",
                   "distance at which a waypoint counts as reached"),
};

ploy_fields ploy_path_follow_fields(void) {
    return PLOY_FIELDS(ploy_path_follow_def, path_follow_fields);
}

ploy_path_follow_def ploy_path_follow_def_default(void) {
    ploy_path_follow_def def;
    ploy_fields_default(ploy_path_follow_fields(), &def);
    return def;
}

ploy_fields ploy_waypoints_fields(void) {
    return PLOY_FIELDS(ploy_waypoints_def, path_follow_waypoints_fields);
}

ploy_waypoints_def ploy_waypoints_def_default(void) {
    ploy_waypoints_def def;
    ploy_fields_default(ploy_waypoints_fields(), &def);
    return def;
}

// arrive is the law at the end, seek the same without radii.
typedef struct path_follow_laws {
    ployi_approach_law arrive;
    ployi_approach_law seek;
} path_follow_laws;

PLOYI_INLINE bool path_follow_laws_make(const ploy_arrive_def *def, path_follow_laws *out) {
    return ployi_arrive_law(def, &out->arrive) &&
           ployi_approach_pull(PLOY_PULL_VELOCITY, def->max_speed, def->max_acceleration,
                               def->time_to_target, 1.0f, 0.0f, &out->seek);
}

static bool path_follow_ok(const ploy_path_follow_def *def, path_follow_laws *laws) {
    return (size_t)def->form < sizeof path_follow_forms / sizeof path_follow_forms[0] &&
           ployi_within(def->ahead, -1e6, 1e6) && ployi_within(def->predict_time, 0, 100) &&
           ployi_distance_ok(def->tube_radius) && ployi_distance_ok(def->window) &&
           path_follow_laws_make(&def->arrive, laws);
}

// ---- lines in space ----

// From point to point in space; the plane's are ploy_polyline's.
typedef struct path_follow_line {
    const ploy_vec3 *points;
    int32_t count;
    bool closed;
} path_follow_line;

static int32_t path_follow_edges(const path_follow_line *line) {
    return line->closed && line->count > 1 ? line->count : line->count - 1;
}

// The vector of an edge, and its length.
static ploy_vec3 path_follow_edge(const path_follow_line *line, int32_t edge, float *length) {
    int32_t next = edge + 1 < line->count ? edge + 1 : 0;
    ploy_vec3 offset = ployi_minus(line->points[next], line->points[edge]);
    *length = ployi_length(offset, 3);
    return offset;
}

static float path_follow_line_length(const path_follow_line *line) {
    double sum = 0.0;
    for (int32_t i = 0; i < path_follow_edges(line); i++) {
        float length;
        path_follow_edge(line, i, &length);
        sum += (double)length;
    }
    return (float)sum;
}

// A place held within an open line, going round a closed one.
static float path_follow_hold(float along, float length, bool closed) {
    if (along >= 0.0f && along < length) return along;
    if (!closed) return along > 0.0f ? length : 0.0f; // NaN too gives 0
    if (!(length > 0.0f) || !(fabsf(along) <= FLT_MAX)) return 0.0f;
    double turns = floor((double)along / (double)length);
    float wrapped = (float)((double)along - turns * (double)length);
    return wrapped >= 0.0f && wrapped < length ? wrapped : 0.0f;
}

static ploy_vec3 path_follow_line_at(const path_follow_line *line, float along, float whole) {
    double left = (double)path_follow_hold(along, whole, line->closed);
    int32_t edges = path_follow_edges(line);
    for (int32_t i = 0; i < edges; i++) {
        float length;
        ploy_vec3 offset = path_follow_edge(line, i, &length);
        if (left < (double)length) {
            return ployi_plus_scaled(line->points[i], offset, (float)(left / (double)length));
        }
        left -= (double)length;
    }
    return line->points[line->closed ? 0 : line->count - 1];
}

// The nearest place within [low, high] metres along; of equally near ones the first. Adds to what
// was found before: *square below 0 is nothing yet. In double, as on the plane: near a corner the end
// of one edge and a place a millimetre behind the start of the next are equally far in float, and the
// wrong one won.
static void path_follow_line_look(const path_follow_line *line, ploy_vec3 at, float low, float high,
                                  float *along, double *square) {
    double begin = 0.0;
    for (int32_t i = 0; i < path_follow_edges(line); i++) {
        float length;
        path_follow_edge(line, i, &length);
        double end = begin + (double)length;
        double from = begin > (double)low ? begin : (double)low;
        double to = end < (double)high ? end : (double)high;
        if (from <= to) {
            ploy_vec3 start = line->points[i];
            ploy_vec3 stop = line->points[i + 1 < line->count ? i + 1 : 0];
            double x = (double)at.x - (double)start.x, wx = (double)stop.x - (double)start.x;
            double y = (double)at.y - (double)start.y, wy = (double)stop.y - (double)start.y;
            double z = (double)at.z - (double)start.z, wz = (double)stop.z - (double)start.z;
            double whole = wx * wx + wy * wy + wz * wz, part = 0.0;
            if (whole > 0.0) part = (x * wx + y * wy + z * wz) / whole;
            double place = begin + part * (double)length;
            place = place > from ? (place < to ? place : to) : from;
            if (length > 0.0f) part = (place - begin) / (double)length;
            x -= wx * part;
            y -= wy * part;
            z -= wz * part;
            double distance = x * x + y * y + z * z;
            if (*square < 0.0 || distance < *square) {
                *square = distance;
                *along = (float)place;
            }
        }
        begin = end;
    }
}

static float path_follow_line_nearest(const path_follow_line *line, float whole, ploy_vec3 at,
                                      float last, float window, float *out) {
    float along = 0.0f;
    double found = -1.0, *square = &found;
    if (!(window > 0.0f) || window >= (line->closed ? 0.5f * whole : whole)) {
        path_follow_line_look(line, at, 0.0f, whole, &along, square);
    } else {
        last = path_follow_hold(last, whole, line->closed);
        float low = last - window, high = last + window;
        if (line->closed && low < 0.0f) { // round the start, in two parts
            path_follow_line_look(line, at, low + whole, whole, &along, square);
        }
        path_follow_line_look(line, at, ploy_maxf(low, 0.0f), ploy_minf(high, whole), &along,
                              square);
        if (line->closed && high > whole) {
            path_follow_line_look(line, at, 0.0f, high - whole, &along, square);
        }
    }
    *out = found < 0.0 ? ployi_square(ployi_minus(at, line->points[0]), 3) : (float)found;
    // The end of a closed one is its start.
    return line->closed && along >= whole ? 0.0f : along;
}

// ---- paths of every kind ----

// One of the four kinds of path, in metres along it; the others are NULL.
typedef struct path_follow_course {
    const ploy_polyline *line;
    const ploy_spline2 *spline;
    const ploy_spline3 *spline3;
    path_follow_line line3; // if the others are NULL
    float length;           // m; 0 if there is nothing to follow
    bool closed;
    bool empty;
} path_follow_course;

static path_follow_course path_follow_no_course(void) {
    path_follow_course course = {NULL, NULL, NULL, {NULL, 0, false}, 0.0f, false, true};
    return course;
}

static path_follow_course path_follow_along_line(const ploy_polyline *line) {
    path_follow_course course = path_follow_no_course();
    if (line == NULL || line->count < 1) return course;
    course.line = line;
    course.empty = false;
    course.length = ploy_polyline_length(line);
    course.closed = line->closed;
    return course;
}

static path_follow_course path_follow_along_line3(const ploy_vec3 *points, int32_t count,
                                                  bool closed) {
    path_follow_course course = path_follow_no_course();
    if (points == NULL || count < 1) return course;
    path_follow_line line = {points, count, closed};
    course.line3 = line;
    course.empty = false;
    course.length = path_follow_line_length(&line);
    course.closed = closed;
    return course;
}

static path_follow_course path_follow_along_spline(const ploy_spline2 *spline) {
    path_follow_course course = path_follow_no_course();
    if (spline == NULL || ploy_spline2_spans(spline) < 1) return course;
    course.spline = spline;
    course.empty = false;
    course.length = ploy_spline2_length(spline);
    course.closed = spline->closed;
    return course;
}

static path_follow_course path_follow_along_spline3(const ploy_spline3 *spline) {
    path_follow_course course = path_follow_no_course();
    if (spline == NULL || ploy_spline3_spans(spline) < 1) return course;
    course.spline3 = spline;
    course.empty = false;
    course.length = ploy_spline3_length(spline);
    course.closed = spline->closed;
    return course;
}

static ploy_vec3 path_follow_at(const path_follow_course *course, float along) {
    if (course->spline3 != NULL) return ploy_spline3_point_along(course->spline3, along);
    if (course->line3.points != NULL)
        return path_follow_line_at(&course->line3, along, course->length);
    return ployi_plane(course->line != NULL ? ploy_polyline_at(course->line, along)
                                            : ploy_spline2_point_along(course->spline, along));
}

// The nearest place, and its squared distance.
static float path_follow_nearest(const path_follow_course *course, ploy_vec3 at, float last,
                                 float window, float *square) {
    ploy_vec2 point = ployi_planar(at);
    if (course->line3.points != NULL) {
        return path_follow_line_nearest(&course->line3, course->length, at, last, window, square);
    }
    if (course->line != NULL) {
        ploy_polyline_nearest found =
            window > 0.0f ? ploy_polyline_find_near(course->line, point, last, window)
                          : ploy_polyline_find(course->line, point);
        *square = found.distance_sq;
        return found.along;
    }
    if (course->spline3 != NULL) {
        ploy_spline_nearest3 found = window > 0.0f
                                         ? ploy_spline3_find_near(course->spline3, at, last, window)
                                         : ploy_spline3_find_from(course->spline3, at, last);
        *square = found.distance_sq;
        return found.along;
    }
    ploy_spline_nearest2 found = window > 0.0f
                                     ? ploy_spline2_find_near(course->spline, point, last, window)
                                     : ploy_spline2_find_from(course->spline, point, last);
    *square = found.distance_sq;
    return found.along;
}

// What following comes to for an agent: the place, the point, and by which law.
typedef struct path_follow_choice {
    float along;
    ploy_vec3 point;
    bool end;  // the point is where an open path ends
    bool idle; // inside the tube, or nothing to follow
} path_follow_choice;

// Is `to` a step back from `from`, against the direction of travel?
static bool path_follow_is_back(const path_follow_course *course, float from, float to,
                                float ahead) {
    float step = to - from;
    if (course->closed) {
        if (step > 0.5f * course->length) step -= course->length;
        if (step < -0.5f * course->length) step += course->length;
    }
    return ahead < 0.0f ? step > 0.0f : step < 0.0f;
}

static path_follow_choice path_follow_choose(const ploy_path_follow_def *def,
                                             const ployi_mover *agent,
                                             const path_follow_course *course, float along) {
    path_follow_choice out = {along, agent->position, false, true};
    if (course->empty) return out;
    ploy_vec3 from = agent->position;
    if (def->form != PLOY_PATH_FOLLOW_RABBIT) {
        from = ployi_plus_scaled(from, agent->velocity, def->predict_time);
    }
    float square = 0.0f;
    out.along = path_follow_nearest(course, from, along, def->window, &square);
    if (def->form == PLOY_PATH_FOLLOW_PREDICTIVE && along >= 0.0f && along <= course->length &&
        path_follow_is_back(course, along, out.along, def->ahead)) {
        out.along = along;
    }
    float place = out.along + def->ahead;
    out.point = path_follow_at(course, place);
    out.end = !course->closed && (def->ahead < 0.0f ? place <= 0.0f : place >= course->length);
    // The tube releases all agents inside except on the last stretch, where they have to brake.
    out.idle = def->form == PLOY_PATH_FOLLOW_TUBE &&
               square <= def->tube_radius * def->tube_radius && !(out.end && def->stop);
    return out;
}

static const ployi_approach_law *path_follow_law(const ploy_path_follow_def *def,
                                                 const path_follow_laws *laws, bool end) {
    return end && def->stop ? &laws->arrive : &laws->seek;
}

static ployi_pull path_follow_steer(const ploy_path_follow_def *def, const ployi_mover *agent,
                                    const path_follow_course *course, float *along, int n) {
    path_follow_laws laws;
    if (!path_follow_ok(def, &laws)) return ployi_pull_invalid();
    path_follow_choice choice = path_follow_choose(def, agent, course, *along);
    *along = choice.along;
    if (choice.idle) return ployi_pull_none();
    return ployi_approach_point(path_follow_law(def, &laws, choice.end), agent, choice.point, n);
}

ploy_steering ploy_path_follow(const ploy_path_follow_def *def, ploy_kinematic agent,
                               const ploy_polyline *path, float *along) {
    path_follow_course course = path_follow_along_line(path);
    ployi_mover self = ployi_mover_of(agent, false);
    return ployi_pull_planar(path_follow_steer(def, &self, &course, along, 2));
}

ploy_steering ploy_spline_follow(const ploy_path_follow_def *def, ploy_kinematic agent,
                                 const ploy_spline2 *spline, float *along) {
    path_follow_course course = path_follow_along_spline(spline);
    ployi_mover self = ployi_mover_of(agent, false);
    return ployi_pull_planar(path_follow_steer(def, &self, &course, along, 2));
}

ploy_steering3 ploy_spline_follow3(const ploy_path_follow_def *def, ploy_kinematic3 agent,
                                   const ploy_spline3 *spline, float *along) {
    path_follow_course course = path_follow_along_spline3(spline);
    ployi_mover self = ployi_mover3_of(agent);
    return ployi_pull_spatial(path_follow_steer(def, &self, &course, along, 3));
}

ploy_steering3 ploy_path_follow3(const ploy_path_follow_def *def, ploy_kinematic3 agent,
                                 const ploy_vec3 *points, int32_t count, bool closed,
                                 float *along) {
    path_follow_course course = path_follow_along_line3(points, count, closed);
    ployi_mover self = ployi_mover3_of(agent);
    return ployi_pull_spatial(path_follow_steer(def, &self, &course, along, 3));
}

// One way for all, its length measured once, and the place of each.
typedef struct path_follow_rule {
    const ploy_path_follow_def *def;
    path_follow_course course;
    float *alongs;
} path_follow_rule;

static ploy_steering path_follow_one(const void *rule, int32_t i, ploy_kinematic agent) {
    const path_follow_rule *r = rule;
    ployi_mover self = ployi_mover_of(agent, false);
    return ployi_pull_planar(path_follow_steer(r->def, &self, &r->course, &r->alongs[i], 2));
}

static ploy_steering3 path_follow_one3(const void *rule, int32_t i, ploy_kinematic3 agent) {
    const path_follow_rule *r = rule;
    ployi_mover self = ployi_mover3_of(agent);
    return ployi_pull_spatial(path_follow_steer(r->def, &self, &r->course, &r->alongs[i], 3));
}

static ploy_result path_follow_each(const ploy_path_follow_def *def, path_follow_course course,
                                    const ploy_kinematics *agents, int32_t first, int32_t count,
                                    float *alongs, const ploy_steerings *out) {
    path_follow_laws laws;
    if (def == NULL || alongs == NULL || !path_follow_ok(def, &laws)) return PLOY_ERR_ARGUMENT;
    path_follow_rule rule = {def, course, alongs};
    return ployi_each(agents, first, count, path_follow_one, &rule, out);
}

static ploy_result path_follow_each3(const ploy_path_follow_def *def, path_follow_course course,
                                     const ploy_kinematics3 *agents, int32_t first, int32_t count,
                                     float *alongs, const ploy_steerings3 *out) {
    path_follow_laws laws;
    if (def == NULL || alongs == NULL || !path_follow_ok(def, &laws)) return PLOY_ERR_ARGUMENT;
    path_follow_rule rule = {def, course, alongs};
    return ployi_each3(agents, first, count, path_follow_one3, &rule, out);
}

ploy_result ploy_path_follow_batch(const ploy_path_follow_def *def, const ploy_kinematics *agents,
                                   int32_t first, int32_t count, const ploy_polyline *path,
                                   float *alongs, const ploy_steerings *out) {
    return path_follow_each(def, path_follow_along_line(path), agents, first, count, alongs, out);
}

ploy_result ploy_spline_follow_batch(const ploy_path_follow_def *def, const ploy_kinematics *agents,
                                     int32_t first, int32_t count, const ploy_spline2 *spline,
                                     float *alongs, const ploy_steerings *out) {
    return path_follow_each(def, path_follow_along_spline(spline), agents, first, count, alongs,
                            out);
}

ploy_result ploy_spline_follow3_batch(const ploy_path_follow_def *def,
                                      const ploy_kinematics3 *agents, int32_t first, int32_t count,
                                      const ploy_spline3 *spline, float *alongs,
                                      const ploy_steerings3 *out) {
    return path_follow_each3(def, path_follow_along_spline3(spline), agents, first, count, alongs,
                             out);
}

ploy_result ploy_path_follow3_batch(const ploy_path_follow_def *def, const ploy_kinematics3 *agents,
                                    int32_t first, int32_t count, const ploy_vec3 *points,
                                    int32_t point_count, bool closed, float *alongs,
                                    const ploy_steerings3 *out) {
    return path_follow_each3(def, path_follow_along_line3(points, point_count, closed), agents,
                             first, count, alongs, out);
}

bool ploy_path_follow_done(const ploy_path_follow_def *def, ploy_kinematic agent,
                           const ploy_polyline *path, float along) {
    if (path == NULL || path->count < 1 || path->closed) return false;
    float end = def->ahead < 0.0f ? 0.0f : ploy_polyline_length(path);
    ploy_vec2 point = ploy_polyline_at(path, end);
    float radius = def->arrive.target_radius;
    return fabsf(along - end) <= fabsf(def->ahead) + radius &&
           ploy_vec2_distance_sq(agent.position, point) <= radius * radius;
}

void ploy_path_follow_trace(const ploy_path_follow_def *def, ploy_kinematic agent,
                            const ploy_polyline *path, float along, ploy_agent_id id,
                            ploy_trace *trace) {
    path_follow_laws laws;
    if (trace == NULL || !path_follow_ok(def, &laws)) return;
    path_follow_course course = path_follow_along_line(path);
    ployi_mover self = ployi_mover_of(agent, false);
    path_follow_choice choice = path_follow_choose(def, &self, &course, along);
    ploy_trace_begin(trace, id, "steer", "path follow");
    ploy_trace_text(trace, "form", path_follow_forms[def->form]);
    ploy_trace_f32(trace, "along", choice.along);
    if (choice.idle) {
        ploy_trace_option(trace, "request nothing", PLOY_OUTCOME_WON, (double)NAN,
                          "it stays within the tube, or there is no path");
    } else {
        if (choice.end) ploy_trace_note(trace, "It goes for the end of the path.");
        ployi_approach_point_trace(path_follow_law(def, &laws, choice.end), &self, choice.point, 2,
                                   trace);
    }
    ploy_trace_end(trace);
}

// ---- waypoints ----

// Points of the plane or, if there are none, of space.
typedef struct path_follow_points {
    const ploy_vec2 *flat;
    const ploy_vec3 *points;
    int32_t count;
    bool closed;
} path_follow_points;

static path_follow_points path_follow_flat(const ploy_polyline *path) {
    path_follow_points among = {NULL, NULL, 0, false};
    if (path == NULL) return among;
    among.flat = path->points;
    among.count = path->count;
    among.closed = path->closed;
    return among;
}

static ploy_vec3 path_follow_point(path_follow_points among, int32_t i) {
    return among.flat != NULL ? ployi_plane(among.flat[i]) : among.points[i];
}

PLOYI_INLINE bool path_follow_waypoints_ok(const ploy_waypoints_def *def, path_follow_laws *laws) {
    return ployi_distance_ok(def->radius) && path_follow_laws_make(&def->arrive, laws);
}

// Goes for waypoint *next, or the one after it when that is near enough.
PLOYI_INLINE ployi_pull path_follow_waypoints(const ploy_waypoints_def *def,
                                              const ployi_mover *agent, path_follow_points among,
                                              int32_t *next, int n) {
    path_follow_laws laws;
    int32_t count = among.count;
    if (!path_follow_waypoints_ok(def, &laws)) return ployi_pull_invalid();
    if (count < 1 || (among.flat == NULL && among.points == NULL)) return ployi_pull_none();
    int32_t at = *next >= 0 && *next < count ? *next : 0;
    ploy_vec3 point = path_follow_point(among, at);
    float square = ployi_square(ployi_minus(agent->position, point), n);
    if (square < def->radius * def->radius && (among.closed || at + 1 < count)) {
        at = at + 1 < count ? at + 1 : 0;
        point = path_follow_point(among, at);
    }
    *next = at;
    bool last = !among.closed && at == count - 1;
    if (!last) return ployi_approach_point(&laws.seek, agent, point, n);
    return ployi_approach_point(&laws.arrive, agent, point, n);
}

ploy_steering ploy_waypoints(const ploy_waypoints_def *def, ploy_kinematic agent,
                             const ploy_polyline *path, int32_t *next) {
    ployi_mover self = ployi_mover_of(agent, false);
    return ployi_pull_planar(path_follow_waypoints(def, &self, path_follow_flat(path), next, 2));
}

ploy_steering3 ploy_waypoints3(const ploy_waypoints_def *def, ploy_kinematic3 agent,
                               const ploy_vec3 *points, int32_t count, bool closed, int32_t *next) {
    ployi_mover self = ployi_mover3_of(agent);
    path_follow_points among = {NULL, points, count, closed};
    return ployi_pull_spatial(path_follow_waypoints(def, &self, among, next, 3));
}

typedef struct path_follow_waypoints_rule {
    const ploy_waypoints_def *def;
    path_follow_points among;
    int32_t *nexts;
} path_follow_waypoints_rule;

static ploy_steering path_follow_waypoint(const void *rule, int32_t i, ploy_kinematic agent) {
    const path_follow_waypoints_rule *r = rule;
    ployi_mover self = ployi_mover_of(agent, false);
    return ployi_pull_planar(path_follow_waypoints(r->def, &self, r->among, &r->nexts[i], 2));
}

static ploy_steering3 path_follow_waypoint3(const void *rule, int32_t i, ploy_kinematic3 agent) {
    const path_follow_waypoints_rule *r = rule;
    ployi_mover self = ployi_mover3_of(agent);
    return ployi_pull_spatial(path_follow_waypoints(r->def, &self, r->among, &r->nexts[i], 3));
}

ploy_result ploy_waypoints_batch(const ploy_waypoints_def *def, const ploy_kinematics *agents,
                                 int32_t first, int32_t count, const ploy_polyline *path,
                                 int32_t *nexts, const ploy_steerings *out) {
    path_follow_laws laws;
    if (def == NULL || nexts == NULL || !path_follow_waypoints_ok(def, &laws)) {
        return PLOY_ERR_ARGUMENT;
    }
    path_follow_waypoints_rule rule = {def, path_follow_flat(path), nexts};
    return ployi_each(agents, first, count, path_follow_waypoint, &rule, out);
}

ploy_result ploy_waypoints3_batch(const ploy_waypoints_def *def, const ploy_kinematics3 *agents,
                                  int32_t first, int32_t count, const ploy_vec3 *points,
                                  int32_t point_count, bool closed, int32_t *nexts,
                                  const ploy_steerings3 *out) {
    path_follow_laws laws;
    if (def == NULL || nexts == NULL || !path_follow_waypoints_ok(def, &laws)) {
        return PLOY_ERR_ARGUMENT;
    }
    path_follow_waypoints_rule rule = {def, {NULL, points, point_count, closed}, nexts};
    return ployi_each3(agents, first, count, path_follow_waypoint3, &rule, out);
}
