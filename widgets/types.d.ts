// What anywidget hands to a module, as far as these modules use it.

export interface Model<Traits> {
  get<Name extends keyof Traits>(name: Name): Traits[Name];
  set<Name extends keyof Traits>(name: Name, value: Traits[Name]): void;
  save_changes(): void;
  send(content: unknown): void;
  on(event: string, callback: (...given: any[]) => void): void;
  off(event: string, callback: (...given: any[]) => void): void;
  widget_manager?: {
    get_model(id: string): Promise<unknown>;
    create_view(model: unknown): Promise<{ el: HTMLElement; remove(): void }>;
  };
}

/** What the kernel sends: only keys that changed, and where new ones stand. */
export interface Patch {
  kind: "parts";
  n: number;
  fresh?: boolean;
  set: Record<string, string>;
  drop?: string[];
  after?: [string, string | null][];
  order?: string[];
}

/** What is new in a figure: whole traces, the tails of others, how many there are. */
export interface FigurePatch {
  layout?: Record<string, any>;
  whole?: Record<string, Record<string, any>>;
  tails?: Record<string, Record<string, any>>;
  count?: number;
}

/** One displayed copy of a panel. */
export interface Face {
  root: HTMLElement;
  inner: HTMLElement;
  nodes: Map<string, HTMLElement>;
  regions: Map<string, HTMLElement>;
  child?: HTMLElement;
  pointed: Record<string, Element | null>;
}
