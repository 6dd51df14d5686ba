-- Objects that the tests of bindings cannot make from roles alone: what must be added or loaded first.
--
-- Each step is run by itself; whatever it returns becomes an argument of the functions under test, and is in `made`
-- under the name of its type for the steps below it. file(path) returns a file of the source tree.
local base, board, data, decide, exec = ploy.base, ploy.board, ploy.data, ploy.decide, ploy.exec
local generate, learn, path, tactics, world = ploy.generate, ploy.learn, ploy.path, ploy.tactics, ploy.world

local steps = {}
local function step(make) steps[#steps + 1] = make end
local function none() end
local function running() return 'running' end
local function corpus(name) return file('fuzz/corpus/' .. name) end

-- base
step(function() return base.heap_init(2) end)
step(function() return base.indexed_heap_init(2) end)
step(function() made.heap:push(1, 2) made.indexed_heap:push(1, 2) end)
step(function() return base.json_load('{"a": [1, 2.5, "b", true, null], "c": {}}', 'a.json', nil) end)
step(function() return base.region_create(1 << 22) end)
step(function() return made.region:snapshot() end)
step(function() return base.json_writer_init({write = none}, 0) end)

-- exec
step(function()
    return exec.blackboard_layout_create({
        {name = 'a', type = 'bool'}, {name = 'b', type = 'i64'}, {name = 'c', type = 'f32'}, {name = 'd', type = 'f64'},
        {name = 'e', type = 'u64'}, {name = 'f', type = 'id'}, {name = 'g', type = 'vec2'}, {name = 'h', type = 'text'},
    }, 'layout')
end)
step(function() return exec.blackboard_create(made.blackboard_layout) end)

-- data
step(function() return data.xml_load('<a b="c"><d>text</d></a>', 'a.xml', nil) end)
step(function() return data.bt_file_load(corpus 'bt_file/nodes.xml', 'nodes.xml', nil) end)
step(function() return data.epd_load(corpus 'epd/wac.epd', 'wac.epd') end)
step(function() return data.pgn_load(corpus 'pgn/small.pgn', 'small.pgn') end)
step(function() return data.sgf_load(corpus 'sgf/small.sgf', 'small.sgf') end)
step(function() return data.obj_load(corpus 'obj/triangle.obj', 'y_up_right', 'triangle.obj') end)
step(function() return data.obf_load(corpus 'obf/two.obf', 'two.obf') end)
step(function() return data.tiled_load(corpus 'tiled/map.tmj', 'map.tmj', nil) end)
step(function() return data.moves_file_load(corpus 'moves_file/zigzag.json', 'zigzag.json') end)
step(function() return data.movingai_load_scenario(corpus 'scen/two.scen', 'two.scen') end)
step(function() return data.wfc_set_load(corpus 'wfc_set/pipes.xml', 'pipes.xml', nil) end)
step(function() return data.wfc_samples_load(corpus 'wfc_set/list.xml', 'list.xml') end)
step(function() return data.machine_load_scxml(corpus 'scxml/parallel.scxml', 'parallel.scxml') end)
step(function() return data.level_overrides_load(corpus 'level_overrides/all.txt', 'all.txt') end)
step(function() return data.fann_load(corpus 'fann/std.net', 'std.net') end)
step(function() return base.buffer_init(1 << 20) end)
step(function() return data.level_open(corpus 'level/small.bin') end)
step(function() return data.level_build_create(nil, made.level, nil) end)
step(function()
    return data.characters_load('{"characters": {}}', 'crew.json', {layouts = {{name = 'a', layout = made.blackboard_layout}}})
end)

-- decide: types, with something inside and finished
step(function()
    decide.conditions_create(made.blackboard_layout):destroy()
    return decide.conditions_create(made.blackboard_layout)
end)
local function leaf() return exec.maker_none() end
step(function()
    local tree = decide.decision_tree_create(made.blackboard_layout)
    tree:finish(tree:leaf('stay', leaf()))
    return tree
end)
step(function() return decide.decision_create(nil, made.decision_tree) end)
step(function()
    local type = decide.fsm_type_create(nil, made.blackboard_layout)
    local first = type:state('first', nil, leaf())
    type:state('second', nil, leaf())
    type:finish(first)
    return type
end)
step(function() return decide.fsm_create(made.fsm_type) end)
step(function()
    local type = decide.hsm_type_create(nil, made.blackboard_layout)
    type:state('first', {}, 'state', {}, leaf())
    type:finish()
    return type
end)
step(function() return decide.hsm_create(made.hsm_type) end)
step(function() return decide.hsm_chart_create(made.hsm_type) end)
step(function()
    local type = decide.utility_type_create(nil, made.blackboard_layout)
    type:option('eat', 1, leaf())
    type:finish()
    return type
end)
step(function() return decide.utility_create(made.utility_type) end)
step(function()
    local type = decide.markov_type_create({count = 2}, made.blackboard_layout)
    type:finish()
    return type
end)
step(function() return decide.markov_create(made.markov_type) end)
step(function()
    local type = decide.experts_type_create(nil, made.blackboard_layout)
    type:finish()
    return type
end)
step(function() return decide.experts_create(made.experts_type) end)
step(function()
    local type = decide.arbiter_type_create(nil, made.blackboard_layout)
    type:finish()
    return type
end)
step(function() return decide.arbiter_create(made.arbiter_type) end)
step(function()
    local type = decide.gob_agent_type_create(nil, made.blackboard_layout)
    type:finish()
    return type
end)
step(function() return decide.gob_agent_create(made.gob_agent_type) end)
step(function()
    local type = decide.fuzzy_fsm_type_create(nil, made.blackboard_layout)
    type:state('calm', 1)
    type:finish()
    return type
end)
step(function() return decide.fuzzy_fsm_create(made.fuzzy_fsm_type) end)
step(function()
    local type = decide.goap_type_create()
    local fed = type:bool('fed')
    type:action{id = 'eat', gains = {{var = fed, value = 1}}, cost = 1}
    type:finish()
    return type
end)
step(function() return decide.goap_create(nil, made.goap_type) end)
step(function() return decide.htn_type_create(made.goap_type) end)
step(function()
    local type = made.htn_type
    type:method(type:task('live'), 'by eating', {}, {type:action('eat')})
    type:finish()
    return decide.htn_create(nil, type)
end)
step(function() return decide.goap_agent_type_create(nil, made.goap_type, made.blackboard_layout) end)
step(function() return decide.goap_policy_create(nil, made.goap_type, {}) end)
step(function() return decide.goap_policy_type_create(nil, made.goap_type, {}, made.blackboard_layout) end)
step(function()
    local builder = decide.bt_builder_create('tree', made.blackboard_layout)
    builder:open('sequence', 'all')
    builder:add('always_success', 'yes')
    builder:close()
    return builder:build()
end)
step(function() return decide.bt_instance_create(nil, made.bt, nil) end)
step(function()
    return decide.program_create(nil, 'keep n = 1\nwhile n < 9 { n += 1\nyield }\nreturn n', 'a.ploy', {layout = made.blackboard_layout})
end)
step(function() return decide.program_instance_create(made.program) end)
step(function() return decide.rule_tree_load('(a (b c) (d 1))', 'a.txt') end)
step(function() return decide.clauses_load('(a b)', 'a.txt') end)
step(function() return decide.goals_create(nil) end)
step(function()
    local base = decide.rulebase_create()
    local point = base:add_template('point', {{name = 'x'}, {name = 'y'}})
    return base
end)

-- learn, generate
step(function()
    return learn.net_create({channels = 2, width = 1, height = 1}, {{kind = 'dense', units = 2, activation = 'relu', shape = 1}}, {bits = 1})
end)
step(function()
    local schema = learn.schema_create()
    schema:add('size', 'number')
    schema:add('kind', 'category')
    schema:add_value(1, 'cat')
    schema:add_value(1, 'dog')
    schema:set_target(1)
    return schema
end)
step(function() return learn.examples_create(made.schema) end)
step(function() return learn.learner_create(learn.bayes_learner(), made.schema) end)

local function made_by(begin, plan)
    step(function()
        local work = begin()
        for i = 1, 1000 do
            if work:step(10000) then break end
        end
        return work, plan and work[plan](work) or nil
    end)
end
made_by(function() return generate.maze_begin(nil, {bits = 1}, nil) end, 'plan')
made_by(function() return generate.caves_begin(nil, {bits = 1}, nil) end, 'plan')
made_by(function() return generate.dungeon_begin(nil, {bits = 1}, nil) end, 'plan')
made_by(function() return generate.accretion_begin(nil, {bits = 1}, nil) end, 'plan')
step(function() made.floor_plan:copy():destroy() end)
made_by(function() return generate.skyscraper_begin(nil, {bits = 1}, nil) end, 'building')
made_by(function() return generate.lsystem_begin(nil, {bits = 1}, nil, nil) end, 'plant')
step(function() return generate.plant_mesh_create(nil, made.plant) end)

-- exec, world
step(function() return exec.engine_create(nil) end)
step(function() return exec.task_behavior_create({begin = function() return 'ok' end}) end)
step(function() return world.modalities_create{{name = 'sight'}} end)
step(function() return world.senses_create{modalities = made.modalities, poses = function() return false end} end)

step(function() return world.events_create(nil) end)
step(function() return world.alarms_create(nil, made.events) end)

-- path
step(function() return path.tiles_create{width = 8, height = 8} end)
step(function() return path.grid_map_create(nil, made.tiles) end)
step(function() return path.grid_flow_create(nil, made.grid_map) end)
step(function() return path.grid_blocks_create(nil, made.grid_map) end)
step(function() return path.grid_finder(made.grid_map, 'astar') end)
step(function() return path.quad_regions_create(made.tiles) end)
step(function()
    return path.explorer_create(nil, {min = {0, 0}, max = {4, 4}}, {1, 1}, function() return true end)
end)

-- tactics, board
step(function() return tactics.tactical_points_create(nil) end)
step(function() return tactics.query_type_load(corpus 'query/all.txt', 'all.txt', nil, made.tactical_points, made.blackboard_layout) end)
step(function() return tactics.query_create(made.query_type) end)
step(function() return tactics.squad_scripts_load('script pair\nactor first\n    move door\nactor second\n    move corner\n', 'pair.txt') end)
step(function() return tactics.signals_create(nil) end)
step(function() return tactics.squad_run_create(made.squad_scripts, made.signals, 1) end)
step(function() return tactics.fireteam_roles_load('role rifleman\n    in-cover -> suppress : sees && ammo > 0\n    suppress -> in-cover : ammo == 0\n', 'roles.txt') end)
step(function() return tactics.fireteam_create(nil, made.fireteam_roles) end)
step(function() return generate.recipe_load(corpus 'recipe/points.json', 'points.json') end)
step(function() return learn.experience_create(made.learner, 1 << 16) end)

-- world: rooms
step(function()
    local graph = world.room_graph_create({{name = 'hall', zone = {kind = 'circle', radius = 4, polygon = {}}}, {name = 'cave', zone = {kind = 'circle', radius = 4, centre = {9, 0, 0}, polygon = {}}}},
        {{from = 0, to = 1, distance = 2}}, made.modalities)
    assert(graph:node_count() == 2 and graph:link_count() == 1)
    return graph
end)
step(function()
    local senses = world.room_senses_create(nil, made.room_graph, function() return false end)
    senses:set_sensor{agent = {id = {index = 2, generation = 1}}, detects = 1}
    return senses
end)

-- decide: facts, guards, scripts of goals, agents that plan
step(function()
    local rules = decide.rules_create(nil, made.rulebase)
    local fact = rules:assert(0, {decide.rule_integer(1), decide.rule_integer(2)})
    assert(fact:exists() and fact:index() >= 0 and fact:template() == 0)
    fact:slot(0)
    decide.rule_fact(fact)
    rules:next_fact(fact)
    rules:next_of(0, fact)
    rules:write_fact(fact, none)
    rules:hold(fact)
    rules:retract((rules:assert(0, {decide.rule_integer(3), decide.rule_integer(2)})))
    return rules, (rules:assert(0, {decide.rule_integer(4), decide.rule_integer(2)}))
end)
step(function()
    local table_of = {states = {{id = 'a', hooks = {}}, {id = 'b', hooks = {}}}, rules = {{id = 'go', from = 'a', to = 'b', when = 'true', action = function() return 'ok' end}}}
    return decide.fsm_type_from_table(nil, table_of, made.blackboard_layout)
end)
step(function()
    return decide.hsm_type_from_table(nil, {states = {{id = 'a', kind = 'state', hooks = {}}}, rules = {}}, made.blackboard_layout)
end)

-- path: spaces
step(function()
    local graph = path.graph_create(nil)
    graph:add_node{0, 0, 0}
    graph:add_node{1, 0, 0}
    return graph
end)
step(function()
    local space = path.graph_space(made.graph)
    local all = path.cooperative_create(nil, space)
    local agent = all:add(0, 1)
    all:set_goal(agent, 0)
    all:changed()
    all:step()
    return all
end)
step(function()
    local instances = path.graph_instances_create(path.graph_space(made.graph))
    local one = instances:add(path.graph_space(made.graph))
    instances:add_door(one, 0, 0, 'both', 1)
    assert(instances:offset(one) > 0)
    return instances
end)
step(function() return path.landmarks_create(path.graph_space(made.graph), {0}) end)

-- generate, learn, tactics
step(function() return generate.pieces_begin(nil, {bits = 1}, nil, nil) end)
step(function() return learn.problem_create(learn.problems_at(0)) end)
step(function()
    return learn.actor_create(learn.actors_at(0), learn.problems_at(0).space, 1)
end)
step(function()
    learn.play_greedy(made.problem, made.actor, 1, 1)
    local task = learn.play_begin(made.problem, made.actor, 100, 0, 1)
    while not learn.play_step(task, 1000) do end
    learn.play_result(task)
    return task
end)
step(function()
    local flood = tactics.flood_create(nil, tactics.places_grid(4, 4, {0, 0}, 1), nil)
    flood:run{{place = 3, strength = 2}}
    flood:begin{{place = 1, strength = 2}}
    while not flood:step(100) do end
    return flood
end)

-- steps of one character. A function that a recipe calls is not called again, so what it creates is returned for the
-- functions that need it.
step(function() return exec.step_context_make({id = {index = 1, generation = 1}}, made.blackboard, 0.1) end)
step(function() return decide.program_maker(made.program) end)
step(function()
    local moment = decide.moment_make(made.step_context)
    made.decision:evaluate(moment)
    made.fuzzy_fsm:step(moment)
    made.markov:update(moment)
    local hsm = decide.hsm_create(made.hsm_type)
    hsm:behavior():enter(made.step_context)
    hsm:swap(made.step_context, made.hsm_type)
end)

-- behaviors, generators and finders are destroyed by value
step(function() decide.program_instance_create(made.program) local one = decide.program_behavior(made.program) one:destroy() end)
step(function()
    local one = generate.generator_begin(generate.generators_at(0), {bits = 1}, nil, nil)
    generate.generator_cancel(one)
end)
step(function()
    local one = path.finder_make(made.finder_factory)
    path.finder_cancel(one)
    path.finder_destroy(one)
    local finder = path.finder_make(made.finder_factory)
    finder:generation()
    return finder
end)
step(function()
    local group = exec.group_create(nil)
    assert(group:count() == 0)
    group:destroy()
    return (exec.group_create(nil))
end)

-- exec: levels of detail, incidental behavior
step(function()
    local lod = exec.lod_create{levels = {{name = 'near', min = 0.5, max = 1, maker = made.maker}, {name = 'far', min = 0, max = 0.5, maker = made.maker}}, transitions = {}}
    assert(lod:level_count() == 2 and lod:level_name(1) == 'far' and lod:find(0.9, -1) == 0)
    return lod
end)
step(function()
    local level = {name = 'calm', min = 0, max = 1, maker = made.maker}
    return exec.incidental_create{normal = level, alert = level}
end)

-- decide: trees, code, guards and scripts
step(function()
    local builder = decide.bt_builder_create('made', made.blackboard_layout)
    builder:open_node{kind = 'sequence', result = 'success'}
    builder:when_holds('success_if', {text = 'a'})
    builder:add_node{kind = 'always_success', result = 'success'}
    builder['then'](builder, 'on_success', {key = 'a', value = true})
    builder:add_behavior('work', made.maker, false)
    builder:add_subtree(made.bt, 'below', {}, false)
    builder:close()
    builder:destroy()
end)
step(function()
    local library = decide.bt_library_create()
    local builder = decide.bt_builder_create('spare', made.blackboard_layout)
    builder:add('always_success', 'yes')
    library:add((builder:build()))
    return library
end)
step(function()
    local bytes = {}
    made.program:save{write = function(text) bytes[#bytes + 1] = text end}
    local all = ''
    for i = 1, #bytes do all = all .. bytes[i] end
    return decide.program_load(all, 'a.plyc', {layout = made.blackboard_layout})
end)
step(function()
    local script = decide.goal_script_load('', 'empty.goals', {})
    assert(script:count() == 0)
    return script
end)
step(function()
    local type = decide.fuzzy_type_create('danger')
    local health = type:input('d', {min = 0, max = 1})
    type:term(health, 'low', decide.fuzzy_trapezoid(0, 0, 0.2, 0.4))
    type:bind(made.blackboard_layout)
    type:finish()
    local open = decide.fuzzy_type_create('open') -- takes more variables and rules
    return (decide.fuzzy_guard_create(type, 'd is low', 0.5)), open
end)
step(function() data.machine_build(made.machine, nil, nil) end)
step(function() pcall(data.machine_build_fsm, made.machine, nil, {tests = {}, actions = {}, works = {}}) end)
step(function()
    local type = decide.rules_type_create(nil, made.rulebase, made.blackboard_layout)
    pcall(type.set_behavior, type, 'none', made.maker)
    return type
end)
step(function()
    local rules = decide.rules_create(nil, made.rulebase)
    local fact = rules:assert(0, {decide.rule_integer(5), decide.rule_integer(6)})
    rules:hold(fact)
    rules:release((rules:next_fact()))
end)
step(function()
    local type = decide.fsm_type_create(nil, made.blackboard_layout)
    type:set_global{}
    return type
end)
step(function() base.fields_make('none', {}, 4) end)

-- world, tactics, generate
step(function()
    local signal = world.signal_make(0, 1, {1, 0, 0}, 'noise')
    made.modalities:test{signal = signal, sensor = {detects = 1}, pose = {}, now = 0, distance = 1}
end)
step(function() return tactics.dwell_create({key = made.blackboard_layout:find('b')}, made.maker, made.blackboard_layout) end)
step(function()
    local places = tactics.places_grid(4, 4, {0, 0}, 1)
    local from, to = tactics.tactics_layer_create(places, 'numbers'), tactics.tactics_layer_create(places, 'numbers')
    local convolve, box = tactics.convolve_create(places), tactics.convolve_kernel_box(3)
    convolve:run(box, tactics.convolve_options_default(), from, to)
    assert(convolve:passes() == 1 and convolve:change() == 0)
    convolve:begin(box, tactics.convolve_options_default(), from, to)
    convolve:step(1)
    convolve:memory(none)
    convolve:cancel()
    convolve:destroy()
    return (tactics.convolve_create(places)), from, to
end)
step(function() return generate.lsystem_rules_load(corpus 'lsystem/weed.txt', 'weed.txt') end)

-- learn, board
step(function()
    local space = learn.problems_at(0).space
    local actor = learn.actor_create(learn.actors_at(0), space, 1)
    actor:learn({state = 0}, 0, {reward = 1}, {state = 0}, -1)
    actor:freeze(true)
    actor:keep_best(1)
    actor:hash()
    assert(actor:steps() >= 0)
    learn.play_keep_best(made.problem, actor, 1, 1)
    actor:destroy()
end)
step(function()
    return board.board_book_create(nil, (board.board_default(board.board_chess(), {})))
end)
step(function() made.board_book:seal() end)
step(function()
    local builder = data.level_builder_create()
    data.level_text_load('object nest point 9 9\ntrigger cave circle 4 4 2 by=player delay=1 do="activate spiders"\n', 'cave.txt', builder)
    local all = ''
    builder:save{write = function(text) all = all .. text end}
    local staging = data.staging_create((data.level_open(all)))
    staging:add_agent({id = {index = 1, generation = 1}}, 'player')
    return staging, builder
end)

return steps
