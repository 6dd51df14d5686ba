// The texts that simulations are made of: reading and replacing them, drafts, and values of blackboards.
import { Fault, Part, RequestError, TreeNode, Value } from "./backend";
import { StoreParameters } from "./store_parameters";

export abstract class StoreTexts extends StoreParameters {
  private boards = new Map<number, Set<string> | null>();
  private histories = new Map<string, { undo: string[]; redo: string[] }>();

  draftKey(session: number, definition: string): string {
    const pane = this.paneOf(session);
    return pane === undefined || pane.forked ? `#${session} ${definition}` : `${pane.session.name} ${definition}`;
  }

  // The definitions of a simulation that have a draft.
  draftsOf(simulation: string): string[] {
    return [...this.drafts.keys()].filter((key) => key.startsWith(`${simulation} `)).map((key) => key.slice(simulation.length + 1));
  }

  // Texts before and after the edits by controls of one definition, for as long as the page is open.
  textHistory(key: string): { undo: string[]; redo: string[] } {
    let found = this.histories.get(key);
    if (found === undefined) this.histories.set(key, (found = { undo: [], redo: [] }));
    return found;
  }

  // A fork's drafts go with it; those of a simulation are there again when it is opened again.
  protected async mayLeave(): Promise<boolean> {
    const pane = this.panes.find((one) => one.forked);
    const keys = pane === undefined ? [] : [...this.drafts.keys()].filter((key) => key.startsWith(`#${pane.session.session} `));
    if (keys.length === 0) return true;
    if (!(await this.confirm("The second run has an edited text that it has not taken over. It is lost if the run is closed.", "Discard it"))) return false;
    for (const key of keys) this.drafts.delete(key);
    return true;
  }

  // A definition as of the tick shown; null if it cannot be had.
  async readDefinition(session: number, name: string): Promise<string | null> {
    const answer = await this.backend.request("definition", { session, name }).catch(() => null);
    return answer?.text ?? null;
  }

  // What a definition can be made of; empty if it has no parts.
  async partsOf(session: number, name: string): Promise<Part[]> {
    const answer = await this.backend.request("parts", { session, name }).catch(() => null);
    return answer?.parts ?? [];
  }

  // Hands a new text over, or only has it checked. The faults come back, none if all is well.
  async reloadDefinition(session: number, name: string, text: string, check: boolean): Promise<Fault[]> {
    try {
      await this.backend.request("reload", { session, name, text, ...(check ? { check } : {}) });
      return [];
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const plain: Fault = { line: 0, column: 0, severity: "error", message: error.message };
      return error.faults.length > 0 ? error.faults : [plain];
    }
  }

  // The keys that a blackboard has, asked for once; null until the answer is there.
  boardKeys(session: number): Set<string> | null {
    const known = this.boards.get(session);
    if (known !== undefined) return known;
    this.boards.set(session, null);
    void this.readDefinition(session, "board").then((text) => {
      if (text !== null) this.boards.set(session, new Set(Object.keys(JSON.parse(text))));
      this.update();
    });
    return null;
  }

  // One value of the blackboard; the others stay as they are.
  async setBoardValue(session: number, key: string, value: Value): Promise<void> {
    const [fault] = await this.reloadDefinition(session, "board", JSON.stringify({ [key]: value }), false);
    if (fault !== undefined) this.say(`${key}: ${fault.message}`, "error");
  }

  // What the last exchange could not match, as the simulation reports it.
  async lostOf(session: number): Promise<string[]> {
    const answer = await this.backend.request("describe", { session }).catch(() => null);
    const found: string[] = [];
    const walk = (nodes: TreeNode[], inside: boolean) => {
      for (const node of nodes) {
        if (node.children !== undefined) walk(node.children, node.name === "definition");
        else if (inside && node.name === "lost") found.push(String(node.value));
      }
    };
    walk(answer?.tree ?? [], false);
    return found;
  }

  // The definition that a file of that name is for: by its name, or the only one with that ending.
  protected definitionFor(file: string): string | null {
    const own = this.session?.definitions?.filter((one) => one.name !== "parameters") ?? [];
    const [, name, format] = /^(.*?)\.([^.]*)$/.exec(file) ?? ["", file, ""];
    const fits = own.filter((one) => (one.format === format || (one.format === "level" && format === "txt")) && one.name !== "board");
    return (own.find((one) => one.name === name) ?? (fits.length === 1 ? fits[0] : undefined))?.name ?? null;
  }
}
