// The picture in space, with three.js: lines, faces, bodies and labels of the same message that the flat canvas draws.
// It is a separate file, loaded when a simulation has heights: flat scenes pay nothing for it.
import { BufferAttribute, BufferGeometry, Color, DirectionalLight, DoubleSide, GridHelper, Group, HemisphereLight, InstancedMesh, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshLambertMaterial, PerspectiveCamera, Quaternion, Raycaster, Scene, SphereGeometry, Vector2, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Box, drawLabels, Label, Placed } from "./labels";

const HEAD = 32;
const enum Shape { Point, Line, Polygon, Circle, Disc, Arrow, Agent, Text, Table, Key, Map }
const ROUND = 24; // corners of a circle

export interface SpaceColors {
  styles: string[];
  paper: string;
  ink: string;
  hidden: boolean[];
}

// Triangles, lines and bodies of one picture, before they become buffers.
class Soup {
  faces: number[] = [];
  faceColors: number[] = [];
  faceOwners: (string | null)[] = []; // one for each triangle
  lines: number[] = [];
  lineColors: number[] = [];
  bodies: { at: Vector3; radius: number; angle: number; color: Color; owner: string | null }[] = [];

  face(a: number[], b: number[], c: number[], color: Color, owner: string | null): void {
    this.faces.push(...a, ...b, ...c);
    for (let i = 0; i < 3; i++) this.faceColors.push(color.r, color.g, color.b);
    this.faceOwners.push(owner);
  }
  line(a: number[], b: number[], color: Color): void {
    this.lines.push(...a, ...b);
    for (let i = 0; i < 2; i++) this.lineColors.push(color.r, color.g, color.b);
  }
}

export class Space {
  private renderer: WebGLRenderer;
  private scene = new Scene();
  private camera = new PerspectiveCamera(45, 1, 0.05, 5000);
  private controls: OrbitControls;
  private content = new Group();
  private overlay: HTMLCanvasElement;
  private context: CanvasRenderingContext2D;
  private labels: (Label & { place: Vector3 })[] = [];
  private paper = "";
  private faces: Mesh | null = null;
  private faceOwners: (string | null)[] = [];
  private bodies: InstancedMesh | null = null;
  private bodyOwners: (string | null)[] = [];
  private framed = false;
  private moved = 0;
  private from = new Vector2();

  // Throws where the browser has no WebGL.
  // @param taken   where controls are, which labels leave free
  // @param labelled  called with the labels of each picture: a turned camera moves them too
  constructor(
    readonly box: HTMLElement,
    private picked: (agent: string | null, point: [number, number] | null) => void,
    private taken: () => Box[],
    private labelled: (placed: Placed) => void,
  ) {
    this.renderer = new WebGLRenderer({ antialias: true });
    this.overlay = document.createElement("canvas");
    this.overlay.className = "space-labels";
    this.context = this.overlay.getContext("2d")!;
    const element = this.renderer.domElement;
    element.className = "space-canvas";
    element.setAttribute("role", "img");
    element.setAttribute("aria-label", "The scene in space: drag to turn it, drag with the right button to move it, the wheel zooms");
    box.append(element, this.overlay);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, element);
    this.controls.addEventListener("change", () => this.render());
    this.scene.add(this.content, new HemisphereLight(0xffffff, 0x777777, 2.2));
    const sun = new DirectionalLight(0xffffff, 1.6);
    sun.position.set(1, -2, 3);
    this.scene.add(sun);
    element.addEventListener("pointerdown", (event) => {
      this.moved = 0;
      this.from.set(event.clientX, event.clientY);
    });
    element.addEventListener("pointermove", (event) => (this.moved = Math.max(this.moved, Math.hypot(event.clientX - this.from.x, event.clientY - this.from.y))));
    element.addEventListener("pointerup", (event) => {
      if (this.moved < 5) this.pick(event);
    });
  }

  resize(width: number, height: number): void {
    const ratio = window.devicePixelRatio || 1;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height);
    this.overlay.width = Math.max(1, Math.round(width * ratio));
    this.overlay.height = Math.max(1, Math.round(height * ratio));
    this.overlay.style.width = `${width}px`;
    this.overlay.style.height = `${height}px`;
    this.camera.aspect = width / Math.max(1, height);
    this.camera.updateProjectionMatrix();
    this.render();
  }

  // Shows another picture of the same scene; the camera stays where it is.
  show(bytes: DataView, colors: SpaceColors, selected: string | null): void {
    const soup = this.read(bytes, colors, selected);
    this.clear();
    this.paper = colors.paper;
    this.scene.background = new Color(colors.paper);
    if (soup.faces.length > 0) {
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(new Float32Array(soup.faces), 3));
      geometry.setAttribute("color", new BufferAttribute(new Float32Array(soup.faceColors), 3));
      geometry.computeVertexNormals();
      this.faces = new Mesh(geometry, new MeshLambertMaterial({ vertexColors: true, side: DoubleSide, flatShading: true }));
      this.faceOwners = soup.faceOwners;
      this.content.add(this.faces);
    }
    if (soup.lines.length > 0) {
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(new Float32Array(soup.lines), 3));
      geometry.setAttribute("color", new BufferAttribute(new Float32Array(soup.lineColors), 3));
      this.content.add(new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true })));
    }
    if (soup.bodies.length > 0) {
      this.bodies = new InstancedMesh(new SphereGeometry(1, 12, 8), new MeshLambertMaterial(), soup.bodies.length);
      soup.bodies.forEach((one, i) => {
        this.bodies!.setMatrixAt(i, new Matrix4().compose(one.at, new Quaternion(), new Vector3(one.radius, one.radius, one.radius)));
        this.bodies!.setColorAt(i, one.color);
      });
      this.bodyOwners = soup.bodies.map((one) => one.owner);
      this.content.add(this.bodies);
    }
    if (!this.framed) this.fit();
    this.render();
  }

  // From the south and above, so that everything is in sight.
  fit(): void {
    const low = new Vector3(Infinity, Infinity, Infinity);
    const high = new Vector3(-Infinity, -Infinity, -Infinity);
    this.content.traverse((one) => {
      if (!(one instanceof Mesh || one instanceof LineSegments)) return;
      one.geometry.computeBoundingBox();
      const box = one instanceof InstancedMesh ? (one.computeBoundingBox(), one.boundingBox) : one.geometry.boundingBox;
      if (box === null) return;
      low.min(box.min);
      high.max(box.max);
    });
    if (!Number.isFinite(low.x)) return;
    const middle = low.clone().add(high).multiplyScalar(0.5);
    const size = Math.max(1, low.distanceTo(high));
    this.camera.position.set(middle.x, middle.y - size * 0.95, middle.z + size * 0.6);
    this.camera.near = size / 500;
    this.camera.far = size * 20;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(middle);
    this.controls.update();
    this.framed = true;
    const old = this.scene.getObjectByName("floor");
    if (old !== undefined) this.scene.remove(old);
    const wide = Math.max(high.x - low.x, high.y - low.y);
    const floor = new GridHelper(Math.ceil(wide / 10) * 10 + 10, Math.min(40, Math.ceil(wide / 10) + 1), 0x999999, 0xcccccc);
    floor.name = "floor";
    floor.rotation.x = Math.PI / 2;
    floor.position.set(middle.x, middle.y, low.z - 0.01);
    this.scene.add(floor);
    this.render();
  }

  zoom(factor: number): void {
    this.camera.position.sub(this.controls.target).multiplyScalar(1 / factor).add(this.controls.target);
    this.controls.update();
    this.render();
  }

  dispose(): void {
    this.clear();
    this.controls.dispose();
    this.renderer.dispose();
    this.renderer.domElement.remove();
    this.overlay.remove();
  }

  private clear(): void {
    for (const one of [...this.content.children]) {
      this.content.remove(one);
      if (one instanceof Mesh || one instanceof LineSegments) one.geometry.dispose();
    }
    this.faces = this.bodies = null;
  }

  private read(bytes: DataView, colors: SpaceColors, selected: string | null): Soup {
    const soup = new Soup();
    const cache = colors.styles.map((one) => new Color(one));
    const ink = new Color(colors.ink);
    const lit = new Color("#ffd400");
    const text = new TextDecoder();
    const point = (at: number) => [bytes.getFloat32(at, true), bytes.getFloat32(at + 4, true), bytes.getFloat32(at + 8, true)];
    this.labels = [];
    let at = bytes.getUint16(2, true) || HEAD;
    for (let i = 0, count = bytes.getUint32(16, true); i < count && at + 16 <= bytes.byteLength; i++) {
      const size = bytes.getUint32(at + 12, true);
      const shape = bytes.getUint8(at) as Shape;
      const layer = bytes.getUint8(at + 1);
      const generation = bytes.getUint32(at + 8, true);
      const owner = generation === 0 ? null : `${bytes.getUint32(at + 4, true)}:${generation}`;
      const own = cache[bytes.getUint8(at + 2)] ?? ink;
      const color = owner !== null && owner === selected ? lit : own;
      if (!colors.hidden[layer] && bytes.getUint8(at + 3) > 0) {
        switch (shape) {
          case Shape.Line:
          case Shape.Polygon: {
            const points = Array.from({ length: bytes.getUint32(at + 16, true) }, (_, k) => point(at + 20 + 12 * k));
            if (shape === Shape.Line) for (let k = 1; k < points.length; k++) soup.line(points[k - 1], points[k], color);
            else for (let k = 2; k < points.length; k++) soup.face(points[0], points[k - 1], points[k], color, owner);
            break;
          }
          case Shape.Circle:
          case Shape.Disc: {
            const middle = point(at + 16);
            const radius = bytes.getFloat32(at + 28, true);
            if (shape === Shape.Disc && owner !== null && layer === 6) {
              soup.bodies.push({ at: new Vector3(...middle), radius, angle: 0, color, owner });
              break;
            }
            const ring = Array.from({ length: ROUND + 1 }, (_, k) => [middle[0] + radius * Math.cos((2 * Math.PI * k) / ROUND), middle[1] + radius * Math.sin((2 * Math.PI * k) / ROUND), middle[2]]);
            for (let k = 1; k <= ROUND; k++) {
              if (shape === Shape.Circle) soup.line(ring[k - 1], ring[k], color);
              else soup.face(middle, ring[k - 1], ring[k], color, owner);
            }
            break;
          }
          case Shape.Arrow:
            soup.line(point(at + 16), point(at + 28), color);
            break;
          case Shape.Point:
            soup.bodies.push({ at: new Vector3(...point(at + 16)), radius: 0.08, angle: 0, color, owner });
            break;
          case Shape.Agent: {
            const place = point(at + 16);
            const radius = bytes.getFloat32(at + 28, true);
            const angle = bytes.getFloat32(at + 32, true);
            soup.bodies.push({ at: new Vector3(...place), radius, angle, color, owner });
            soup.line(place, [place[0] + 2 * radius * Math.cos(angle), place[1] + 2 * radius * Math.sin(angle), place[2]], color);
            break;
          }
          case Shape.Text:
          case Shape.Table: {
            const words = text.decode(new Uint8Array(bytes.buffer, bytes.byteOffset + at + 32, bytes.getUint32(at + 28, true)));
            this.labels.push({ x: 0, y: 0, text: words, color: colors.ink, alpha: 1, rank: owner === selected && owner !== null ? 0 : owner === null ? 1 : 2, table: shape === Shape.Table, place: new Vector3(...point(at + 16)) });
            break;
          }
        }
      }
      at += size;
    }
    return soup;
  }

  render(): void {
    this.renderer.render(this.scene, this.camera);
    const ratio = window.devicePixelRatio || 1;
    const width = this.overlay.width / ratio;
    const height = this.overlay.height / ratio;
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.context.clearRect(0, 0, width, height);
    const shown = this.labels.filter((one) => {
      const at = one.place.clone().project(this.camera);
      one.x = ((at.x + 1) / 2) * width;
      one.y = ((1 - at.y) / 2) * height;
      return at.z < 1;
    });
    this.labelled(drawLabels(this.context, shown, width, height, this.taken(), this.paper));
  }

  // The agent under the pointer; where there is none, the place on the faces or on the floor.
  private pick(event: PointerEvent): void {
    const rect = this.renderer.domElement.getBoundingClientRect();
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(((event.clientX - rect.left) / rect.width) * 2 - 1, 1 - ((event.clientY - rect.top) / rect.height) * 2), this.camera);
    let place: [number, number] | null = null;
    for (const hit of ray.intersectObjects(this.content.children.filter((one) => one === this.faces || one === this.bodies))) {
      const owner = hit.object === this.bodies ? this.bodyOwners[hit.instanceId ?? 0] : this.faceOwners[hit.faceIndex ?? 0];
      if (owner !== null && owner !== undefined) return this.picked(owner, null);
      place ??= [hit.point.x, hit.point.y];
    }
    if (place === null && ray.ray.direction.z < 0) {
      const t = -ray.ray.origin.z / ray.ray.direction.z;
      place = [ray.ray.origin.x + t * ray.ray.direction.x, ray.ray.origin.y + t * ray.ray.direction.y];
    }
    this.picked(null, place);
  }

  // For tests: where an agent's body is on the screen, in pixels of the view.
  bodyAt(agent: string): [number, number] | null {
    const index = this.bodyOwners.indexOf(agent);
    if (index < 0 || this.bodies === null) return null;
    const rect = this.renderer.domElement.getBoundingClientRect();
    const matrix = new Matrix4();
    this.bodies.getMatrixAt(index, matrix);
    const at = new Vector3().setFromMatrixPosition(matrix).project(this.camera);
    return [((at.x + 1) / 2) * rect.width, ((1 - at.y) / 2) * rect.height];
  }
  // For tests: where an agent is on the screen, in pixels of the view.
  whereIs(agent: string): [number, number] | null {
    const rect = this.renderer.domElement.getBoundingClientRect();
    const index = this.faceOwners.indexOf(agent);
    if (index < 0 || this.faces === null) return null;
    const positions = this.faces.geometry.getAttribute("position");
    const middle = new Vector3();
    for (let k = 0; k < 3; k++) middle.add(new Vector3().fromBufferAttribute(positions, 3 * index + k));
    const at = middle.multiplyScalar(1 / 3).project(this.camera);
    return [((at.x + 1) / 2) * rect.width, ((1 - at.y) / 2) * rect.height];
  }
}
