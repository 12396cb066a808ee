interface DOMClass<T> { new (...args: any[]): T; prototype: T; }

interface EventListener { (event: Event): void; }
interface EventListenerObject { handleEvent(event: Event): void; }
type EventListenerOrEventListenerObject = EventListener | EventListenerObject;
interface EventListenerOptions { capture?: boolean; }
interface AddEventListenerOptions extends EventListenerOptions { once?: boolean; passive?: boolean; signal?: AbortSignal; }
interface EventTarget {
  addEventListener<K extends keyof EventTargetEventMap>(type: K, listener: (this: this, event: EventTargetEventMap[K]) => any, options?: any): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject | Handler<any>, options?: any): void;
  removeEventListener(type: string, listener: any, options?: boolean | EventListenerOptions): void;
  dispatchEvent(event: Event): boolean;
}
type Handler<E> = ((this: any, event: E) => any) | null;
interface GlobalEventHandlersEventMap {
  abort: UIEvent; animationcancel: AnimationEvent; animationend: AnimationEvent; animationiteration: AnimationEvent; animationstart: AnimationEvent;
  auxclick: MouseEvent; beforeinput: InputEvent; beforetoggle: Event;
  blur: FocusEvent; cancel: Event; canplay: Event; canplaythrough: Event; change: Event; click: MouseEvent; close: Event;
  compositionend: CompositionEvent; compositionstart: CompositionEvent;
  compositionupdate: CompositionEvent; contextmenu: MouseEvent; copy: ClipboardEvent; cut: ClipboardEvent; dblclick: MouseEvent; drag: DragEvent;
  dragend: DragEvent; dragenter: DragEvent; dragleave: DragEvent;
  dragover: DragEvent; dragstart: DragEvent; drop: DragEvent; durationchange: Event; emptied: Event; ended: Event; error: ErrorEvent;
  focus: FocusEvent; focusin: FocusEvent; focusout: FocusEvent; formdata: FormDataEvent;
  gotpointercapture: PointerEvent; input: InputEvent; invalid: Event; keydown: KeyboardEvent; keypress: KeyboardEvent; keyup: KeyboardEvent;
  load: Event; loadeddata: Event; loadedmetadata: Event; loadstart: Event;
  lostpointercapture: PointerEvent; mousedown: MouseEvent; mouseenter: MouseEvent; mouseleave: MouseEvent; mousemove: MouseEvent;
  mouseout: MouseEvent; mouseover: MouseEvent; mouseup: MouseEvent; paste: ClipboardEvent;
  pause: Event; play: Event; playing: Event; pointercancel: PointerEvent; pointerdown: PointerEvent; pointerenter: PointerEvent;
  pointerleave: PointerEvent; pointermove: PointerEvent; pointerout: PointerEvent;
  pointerover: PointerEvent; pointerup: PointerEvent; progress: ProgressEvent; ratechange: Event; reset: Event; resize: UIEvent; scroll: Event;
  scrollend: Event; seeked: Event; seeking: Event; select: Event; selectionchange: Event;
  selectstart: Event; slotchange: Event; stalled: Event; submit: SubmitEvent; suspend: Event; timeupdate: Event; toggle: Event;
  touchcancel: TouchEvent; touchend: TouchEvent; touchmove: TouchEvent; touchstart: TouchEvent;
  transitioncancel: TransitionEvent; transitionend: TransitionEvent; transitionrun: TransitionEvent; transitionstart: TransitionEvent;
  volumechange: Event; waiting: Event; wheel: WheelEvent;
}
interface ElementEventMap { fullscreenchange: Event; fullscreenerror: Event; }
interface HTMLElementEventMap extends ElementEventMap, GlobalEventHandlersEventMap {}
interface SVGElementEventMap extends ElementEventMap, GlobalEventHandlersEventMap {}
interface HTMLMediaElementEventMap extends HTMLElementEventMap {}
interface HTMLVideoElementEventMap extends HTMLMediaElementEventMap {}
interface DocumentEventMap extends GlobalEventHandlersEventMap {
  DOMContentLoaded: Event; fullscreenchange: Event; fullscreenerror: Event; pointerlockchange: Event; pointerlockerror: Event;
  readystatechange: Event; visibilitychange: Event;
}
interface WindowEventMap extends GlobalEventHandlersEventMap {
  DOMContentLoaded: Event; afterprint: Event; beforeprint: Event; beforeunload: BeforeUnloadEvent; hashchange: HashChangeEvent; languagechange: Event;
  message: MessageEvent; messageerror: MessageEvent; offline: Event; online: Event;
  orientationchange: Event; pagehide: PageTransitionEvent; pageshow: PageTransitionEvent; popstate: PopStateEvent;
  rejectionhandled: PromiseRejectionEvent; storage: StorageEvent; unhandledrejection: PromiseRejectionEvent; unload: Event;
}
interface EventTargetEventMap extends WindowEventMap, DocumentEventMap, HTMLElementEventMap {}
interface GlobalEventHandlers {
  onerror: any; onabort: Handler<UIEvent>; onresize: Handler<UIEvent>; onauxclick: Handler<MouseEvent>; onclick: Handler<MouseEvent>;
  oncontextmenu: Handler<MouseEvent>;
  ondblclick: Handler<MouseEvent>; onmousedown: Handler<MouseEvent>; onmouseenter: Handler<MouseEvent>; onmouseleave: Handler<MouseEvent>;
  onmousemove: Handler<MouseEvent>;
  onmouseout: Handler<MouseEvent>; onmouseover: Handler<MouseEvent>; onmouseup: Handler<MouseEvent>; onblur: Handler<FocusEvent>;
  onfocus: Handler<FocusEvent>; ondrag: Handler<DragEvent>;
  ondragend: Handler<DragEvent>; ondragenter: Handler<DragEvent>; ondragleave: Handler<DragEvent>; ondragover: Handler<DragEvent>;
  ondragstart: Handler<DragEvent>; ondrop: Handler<DragEvent>;
  onkeydown: Handler<KeyboardEvent>; onkeypress: Handler<KeyboardEvent>; onkeyup: Handler<KeyboardEvent>; onpointercancel: Handler<PointerEvent>;
  onpointerdown: Handler<PointerEvent>;
  onpointerenter: Handler<PointerEvent>; onpointerleave: Handler<PointerEvent>; onpointermove: Handler<PointerEvent>;
  onpointerout: Handler<PointerEvent>;
  onpointerover: Handler<PointerEvent>; onpointerup: Handler<PointerEvent>; oninput: Handler<InputEvent>; onsubmit: Handler<SubmitEvent>;
  ontouchcancel: Handler<TouchEvent>;
  ontouchend: Handler<TouchEvent>; ontouchmove: Handler<TouchEvent>; ontouchstart: Handler<TouchEvent>; onwheel: Handler<WheelEvent>;
  oncopy: Handler<ClipboardEvent>;
  oncut: Handler<ClipboardEvent>; onpaste: Handler<ClipboardEvent>; onanimationend: Handler<AnimationEvent>;
  onanimationstart: Handler<AnimationEvent>;
  ontransitionend: Handler<TransitionEvent>; onprogress: Handler<ProgressEvent>; oncanplay: Handler<Event>; onchange: Handler<Event>;
  onclose: Handler<Event>; onended: Handler<Event>;
  oninvalid: Handler<Event>; onload: Handler<Event>; onloadeddata: Handler<Event>; onloadedmetadata: Handler<Event>; onpause: Handler<Event>;
  onplay: Handler<Event>; onreset: Handler<Event>;
  onscroll: Handler<Event>; onselect: Handler<Event>; ontimeupdate: Handler<Event>; ontoggle: Handler<Event>; onvolumechange: Handler<Event>;
}

interface EventInit { bubbles?: boolean; cancelable?: boolean; composed?: boolean; }
interface Event {
  bubbles: boolean; cancelable: boolean; composed: boolean; currentTarget: EventTarget | null; defaultPrevented: boolean; eventPhase: number;
  isTrusted: boolean; target: EventTarget | null; timeStamp: number; type: string;
  composedPath(): EventTarget[]; initEvent(...args: any[]): void; preventDefault(): void; stopImmediatePropagation(): void; stopPropagation(): void;
}
interface CustomEventInit<T = any> extends EventInit { detail?: T; }
interface CustomEvent<T = any> extends Event { detail: T; initCustomEvent(type: string, bubbles?: boolean, cancelable?: boolean, detail?: T): void; }
interface CustomEventConstructor { new <T>(type: string, init?: CustomEventInit<T>): CustomEvent<T>; prototype: CustomEvent; }
declare var CustomEvent: CustomEventConstructor;
interface UIEvent extends Event { detail: number; view: Window | null; which: number; }
interface ModifierKeys { altKey: boolean; ctrlKey: boolean; metaKey: boolean; shiftKey: boolean; }
interface MouseEvent extends UIEvent, ModifierKeys {
  button: number; buttons: number; clientX: number; clientY: number; movementX: number; movementY: number; offsetX: number;
  offsetY: number; pageX: number; pageY: number; relatedTarget: EventTarget | null; screenX: number; screenY: number; x: number; y: number;
  getModifierState(key: string): boolean;
}
interface MouseEventInit extends EventInit {
  button?: number; buttons?: number; clientX?: number; clientY?: number; altKey?: boolean; ctrlKey?: boolean; metaKey?: boolean; shiftKey?: boolean;
  [option: string]: any;
}
interface PointerEvent extends MouseEvent {
  height: number; isPrimary: boolean; pointerId: number; pointerType: string; pressure: number; tiltX: number; tiltY: number; twist: number;
  width: number; getCoalescedEvents(): PointerEvent[]; getPredictedEvents(): PointerEvent[];
}
interface WheelEvent extends MouseEvent { deltaMode: number; deltaX: number; deltaY: number; deltaZ: number; }
interface DragEvent extends MouseEvent { dataTransfer: DataTransfer | null; }
interface KeyboardEvent extends UIEvent, ModifierKeys {
  charCode: number; code: string; isComposing: boolean; key: string; keyCode: number; location: number; repeat: boolean;
  getModifierState(key: string): boolean;
}
interface KeyboardEventInit extends EventInit {
  key?: string; code?: string; keyCode?: number; altKey?: boolean; ctrlKey?: boolean; metaKey?: boolean; shiftKey?: boolean; [option: string]: any;
}
interface FocusEvent extends UIEvent { relatedTarget: EventTarget | null; }
interface InputEvent extends UIEvent {
  data: string | null; dataTransfer: DataTransfer | null; inputType: string; isComposing: boolean; getTargetRanges(): any[];
}
interface CompositionEvent extends UIEvent { data: string; }
interface ClipboardEvent extends Event { clipboardData: DataTransfer | null; }
interface Touch {
  identifier: number; target: EventTarget; clientX: number; clientY: number; pageX: number; pageY: number; screenX: number; screenY: number;
  force: number; radiusX: number; radiusY: number;
}
interface TouchList extends Iterable<Touch> { length: number; [index: number]: Touch; item(index: number): Touch | null; }
interface TouchEvent extends UIEvent, ModifierKeys { changedTouches: TouchList; targetTouches: TouchList; touches: TouchList; }
interface AnimationEvent extends Event { animationName: string; elapsedTime: number; pseudoElement: string; }
interface TransitionEvent extends Event { elapsedTime: number; propertyName: string; pseudoElement: string; }
interface BeforeUnloadEvent extends Event { returnValue: any; }
interface ErrorEvent extends Event { colno: number; error: any; filename: string; lineno: number; message: string; }
interface FormDataEvent extends Event { formData: FormData; }
interface HashChangeEvent extends Event { newURL: string; oldURL: string; }
interface MessageEvent<T = any> extends Event { data: T; lastEventId: string; origin: string; ports: readonly MessagePort[]; source: any; }
interface MessageEventConstructor { new <T>(type: string, init?: { data?: T; [option: string]: any }): MessageEvent<T>; prototype: MessageEvent; }
declare var MessageEvent: MessageEventConstructor;
interface PageTransitionEvent extends Event { persisted: boolean; }
interface PopStateEvent extends Event { state: any; }
interface ProgressEvent<T extends EventTarget = EventTarget> extends Event {
  lengthComputable: boolean; loaded: number; target: T | null; total: number;
}
interface PromiseRejectionEvent extends Event { promise: Promise<any>; reason: any; }
interface StorageEvent extends Event {
  key: string | null; newValue: string | null; oldValue: string | null; storageArea: Storage | null; url: string;
}
interface SubmitEvent extends Event { submitter: HTMLElement | null; }
interface CloseEvent extends Event { code: number; reason: string; wasClean: boolean; }
interface MediaQueryListEvent extends Event { matches: boolean; media: string; }

interface AbortSignal extends EventTarget { aborted: boolean; reason: any; onabort: Handler<Event>; throwIfAborted(): void; }
interface AbortSignalConstructor extends DOMClass<AbortSignal> {
  abort(reason?: any): AbortSignal; any(signals: Iterable<AbortSignal>): AbortSignal; timeout(milliseconds: number): AbortSignal;
}
declare var AbortSignal: AbortSignalConstructor;
interface AbortController { signal: AbortSignal; abort(reason?: any): void; }

interface NodeList<N = Node> extends Iterable<N> {
  length: number; [index: number]: N; item(index: number): N;
  forEach(callback: (value: N, index: number, list: NodeList<N>) => void, thisArg?: any): void;
  entries(): ArrayIterator<[number, N]>; keys(): ArrayIterator<number>; values(): ArrayIterator<N>; [Symbol.iterator](): ArrayIterator<N>;
}
interface NodeListOf<N> extends NodeList<N> {}
interface HTMLCollection<E = Element> extends Iterable<E> {
  length: number; [index: number]: E; item(index: number): E | null; namedItem(name: string): E | null; [Symbol.iterator](): ArrayIterator<E>;
}
interface HTMLCollectionOf<E> extends HTMLCollection<E> {}
interface Node extends EventTarget {
  baseURI: string; childNodes: NodeListOf<ChildNode>; firstChild: ChildNode | null; isConnected: boolean; lastChild: ChildNode | null;
  nextSibling: ChildNode | null;
  nodeName: string; nodeType: number; nodeValue: string | null; ownerDocument: Document | null; parentElement: HTMLElement | null;
  parentNode: ParentNode | null; previousSibling: ChildNode | null;
  textContent: string | null; appendChild<N extends Node>(node: N): N; cloneNode(deep?: boolean): Node; compareDocumentPosition(other: Node): number;
  contains(other: Node | null): boolean; getRootNode(options?: { composed?: boolean }): Node;
  hasChildNodes(): boolean; insertBefore<N extends Node>(node: N, child: Node | null): N; isDefaultNamespace(namespace: string | null): boolean;
  isEqualNode(other: Node | null): boolean; isSameNode(other: Node | null): boolean;
  lookupNamespaceURI(prefix: string | null): string | null; lookupPrefix(namespace: string | null): string | null; normalize(): void;
  removeChild<N extends Node>(child: N): N; replaceChild<N extends Node>(node: Node, child: N): N;
}
interface NodeConstructor extends DOMClass<Node> {
  ELEMENT_NODE: 1; ATTRIBUTE_NODE: 2; TEXT_NODE: 3; CDATA_SECTION_NODE: 4; COMMENT_NODE: 8; DOCUMENT_NODE: 9; DOCUMENT_TYPE_NODE: 10;
  DOCUMENT_FRAGMENT_NODE: 11;
  DOCUMENT_POSITION_DISCONNECTED: 1; DOCUMENT_POSITION_PRECEDING: 2; DOCUMENT_POSITION_FOLLOWING: 4; DOCUMENT_POSITION_CONTAINS: 8;
  DOCUMENT_POSITION_CONTAINED_BY: 16;
}
declare var Node: NodeConstructor;
interface ChildNode extends Node {
  after(...nodes: (Node | string)[]): void; before(...nodes: (Node | string)[]): void; remove(): void; replaceWith(...nodes: (Node | string)[]): void;
}
interface ParentNode extends Node {
  childElementCount: number; children: HTMLCollection; firstElementChild: Element | null; lastElementChild: Element | null;
  append(...nodes: (Node | string)[]): void; prepend(...nodes: (Node | string)[]): void;
  replaceChildren(...nodes: (Node | string)[]): void;
  querySelector<K extends keyof HTMLElementTagNameMap>(selectors: K): HTMLElementTagNameMap[K] | null;
  querySelector<E extends Element = Element>(selectors: string): E | null;
  querySelectorAll<K extends keyof HTMLElementTagNameMap>(selectors: K): NodeListOf<HTMLElementTagNameMap[K]>;
  querySelectorAll<E extends Element = Element>(selectors: string): NodeListOf<E>;
  getElementsByClassName(names: string): HTMLCollectionOf<Element>;
  getElementsByTagName<K extends keyof HTMLElementTagNameMap>(name: K): HTMLCollectionOf<HTMLElementTagNameMap[K]>;
  getElementsByTagName(name: string): HTMLCollectionOf<Element>;
}
interface Attr extends Node {
  localName: string; name: string; namespaceURI: string | null; ownerElement: Element | null; prefix: string | null; value: string;
}
interface NamedNodeMap extends Iterable<Attr> {
  length: number; [index: number]: Attr; getNamedItem(name: string): Attr | null; item(index: number): Attr | null;
  removeNamedItem(name: string): Attr; setNamedItem(attribute: Attr): Attr | null;
}
interface CharacterData extends ChildNode {
  data: string; length: number; appendData(data: string): void; deleteData(offset: number, count: number): void;
  insertData(offset: number, data: string): void; replaceData(...args: any[]): void; substringData(offset: number, count: number): string;
}
interface Text extends CharacterData { wholeText: string; splitText(offset: number): Text; }
interface Comment extends CharacterData {}
interface DocumentFragment extends ParentNode { getElementById(id: string): HTMLElement | null; }
interface ShadowRoot extends DocumentFragment {
  activeElement: Element | null; adoptedStyleSheets: CSSStyleSheet[]; host: Element; innerHTML: string; mode: string; styleSheets: any;
  elementFromPoint(x: number, y: number): Element | null; elementsFromPoint(x: number, y: number): Element[];
}
interface DOMTokenList extends Iterable<string> {
  length: number; value: string; [index: number]: string; add(...tokens: string[]): void; contains(token: string): boolean;
  forEach(callback: (value: string, index: number, list: DOMTokenList) => void, thisArg?: any): void; item(index: number): string | null;
  remove(...tokens: string[]): void; replace(token: string, other: string): boolean; supports(token: string): boolean;
  toggle(token: string, force?: boolean): boolean;
}
interface DOMStringMap { [name: string]: string | undefined; }
interface DOMRectReadOnly {
  bottom: number; height: number; left: number; right: number; top: number; width: number; x: number; y: number; toJSON(): any;
}
interface DOMRect extends DOMRectReadOnly { height: number; width: number; x: number; y: number; }
interface DOMRectConstructor extends DOMClass<DOMRect> { fromRect(other?: any): DOMRect; }
declare var DOMRect: DOMRectConstructor;
interface DOMRectList extends Iterable<DOMRect> { length: number; [index: number]: DOMRect; item(index: number): DOMRect | null; }
interface ScrollToOptions { behavior?: "auto" | "instant" | "smooth"; left?: number; top?: number; }
interface ScrollIntoViewOptions {
  behavior?: "auto" | "instant" | "smooth"; block?: "center" | "end" | "nearest" | "start"; inline?: "center" | "end" | "nearest" | "start";
}
interface Animation extends EventTarget {
  currentTime: any; effect: any; finished: Promise<Animation>; id: string; onfinish: Handler<Event>; oncancel: Handler<Event>; playState: string;
  playbackRate: number; ready: Promise<Animation>; cancel(): void; finish(): void; pause(): void; play(): void; reverse(): void;
}
interface Element extends ChildNode, ParentNode {
  attributes: NamedNodeMap; classList: DOMTokenList; className: string; clientHeight: number; clientLeft: number; clientTop: number;
  clientWidth: number; id: string; innerHTML: string;
  localName: string; namespaceURI: string | null; nextElementSibling: Element | null; outerHTML: string; ownerDocument: Document; part: DOMTokenList;
  prefix: string | null;
  previousElementSibling: Element | null; role: string | null; scrollHeight: number; scrollLeft: number; scrollTop: number; scrollWidth: number;
  shadowRoot: ShadowRoot | null; slot: string; tagName: string;
  ariaLabel: string | null; ariaHidden: string | null; ariaExpanded: string | null; ariaDisabled: string | null;
  animate(keyframes: any, options?: any): Animation; attachShadow(init: { mode: "open" | "closed"; delegatesFocus?: boolean }): ShadowRoot;
  checkVisibility(options?: any): boolean; closest<K extends keyof HTMLElementTagNameMap>(selector: K): HTMLElementTagNameMap[K] | null;
  closest<E extends Element = Element>(selectors: string): E | null; getAnimations(options?: any): Animation[];
  getAttribute(name: string): string | null; getAttributeNS(namespace: string | null, name: string): string | null; getAttributeNames(): string[];
  getAttributeNode(name: string): Attr | null; getBoundingClientRect(): DOMRect; getClientRects(): DOMRectList;
  hasAttribute(name: string): boolean; hasAttributeNS(namespace: string | null, name: string): boolean; hasAttributes(): boolean;
  hasPointerCapture(pointer: number): boolean; insertAdjacentElement(where: string, element: Element): Element | null;
  insertAdjacentHTML(where: string, html: string): void; insertAdjacentText(where: string, text: string): void; matches(selectors: string): boolean;
  releasePointerCapture(pointer: number): void; removeAttribute(name: string): void;
  removeAttributeNS(namespace: string | null, name: string): void; requestFullscreen(options?: any): Promise<void>; requestPointerLock(): void;
  scroll(...args: any[]): void; scrollBy(...args: any[]): void; scrollIntoView(options?: boolean | ScrollIntoViewOptions): void;
  scrollTo(...args: any[]): void; setAttribute(name: string, value: string): void;
  setAttributeNS(...args: any[]): void; setPointerCapture(pointer: number): void; toggleAttribute(name: string, force?: boolean): boolean;
}
interface CSSStyleDeclaration {
  cssText: string; length: number; getPropertyPriority(name: string): string; getPropertyValue(name: string): string; item(index: number): string;
  removeProperty(name: string): string; setProperty(...args: any[]): void; [property: string]: any;
}
interface CSSRule { cssText: string; parentRule: CSSRule | null; type: number; [property: string]: any; }
interface CSSStyleSheet {
  cssRules: Iterable<CSSRule> & ArrayLike<CSSRule>; disabled: boolean; ownerNode: Element | null; deleteRule(index: number): void;
  insertRule(rule: string, index?: number): number; replace(text: string): Promise<CSSStyleSheet>; replaceSync(text: string): void;
}
interface CSSNamespace { escape(text: string): string; supports(property: string, value?: string): boolean; }
declare var CSS: CSSNamespace;
interface ElementCSSInlineStyle { style: CSSStyleDeclaration; }
interface HTMLOrSVGElement {
  autofocus: boolean; dataset: DOMStringMap; nonce?: string; tabIndex: number; blur(): void; focus(options?: { preventScroll?: boolean }): void;
}
interface HTMLElement extends Element, ElementCSSInlineStyle, HTMLOrSVGElement, GlobalEventHandlers {
  accessKey: string; autocapitalize: string; contentEditable: string; dir: string; draggable: boolean; hidden: boolean; inert: boolean;
  innerText: string; inputMode: string; isContentEditable: boolean; lang: string; offsetHeight: number;
  offsetLeft: number; offsetParent: Element | null; offsetTop: number; offsetWidth: number; outerText: string; popover: string | null;
  spellcheck: boolean; title: string; translate: boolean;
  attachInternals(): any; click(): void; hidePopover(): void; showPopover(): void; togglePopover(force?: boolean): boolean;
}
interface SVGElement extends Element, ElementCSSInlineStyle, HTMLOrSVGElement, GlobalEventHandlers {
  ownerSVGElement: SVGSVGElement | null; viewportElement: SVGElement | null;
}
interface SVGGraphicsElement extends SVGElement { getBBox(options?: any): DOMRect; getCTM(): any; getScreenCTM(): any; transform: any; }
interface SVGSVGElement extends SVGGraphicsElement {
  height: any; viewBox: any; width: any; createSVGPoint(): any; createSVGRect(): any; getElementById(id: string): Element;
}
interface SVGPathElement extends SVGGraphicsElement { getPointAtLength(distance: number): any; getTotalLength(): number; }
interface HyperlinkParts {
  hash: string; host: string; hostname: string; href: string; origin: string; password: string; pathname: string; port: string; protocol: string;
  search: string; username: string;
}
interface FormControl extends HTMLElement {
  disabled: boolean; form: HTMLFormElement | null; labels: NodeListOf<HTMLLabelElement> | null; name: string; validationMessage: string;
  validity: any; willValidate: boolean;
  checkValidity(): boolean; reportValidity(): boolean; setCustomValidity(message: string): void;
}
interface TextControl extends FormControl {
  autocomplete: string; defaultValue: string; dirName: string; maxLength: number; minLength: number; placeholder: string; readOnly: boolean;
  required: boolean; selectionDirection: any; selectionEnd: number | null; selectionStart: number | null; type: string; value: string;
  select(): void; setRangeText(...args: any[]): void; setSelectionRange(...args: any[]): void;
}
interface HTMLAnchorElement extends HTMLElement, HyperlinkParts {
  download: string; ping: string; rel: string; relList: DOMTokenList; target: string; text: string; type: string;
}
interface HTMLAudioElement extends HTMLMediaElement {}
interface HTMLBodyElement extends HTMLElement {}
interface HTMLBRElement extends HTMLElement {}
interface HTMLButtonElement extends FormControl { formAction: string; type: "submit" | "reset" | "button"; value: string; }
interface HTMLCanvasElement extends HTMLElement {
  height: number; width: number; captureStream(rate?: number): MediaStream; getContext(kind: "2d", options?: any): CanvasRenderingContext2D | null;
  getContext(kind: "webgl", options?: any): WebGLRenderingContext | null;
  getContext(kind: "webgl2", options?: any): WebGL2RenderingContext | null; getContext(kind: string, options?: any): any;
  toBlob(callback: (blob: Blob | null) => void, type?: string, quality?: any): void; toDataURL(type?: string, quality?: any): string;
  transferControlToOffscreen(): OffscreenCanvas;
}
interface HTMLDetailsElement extends HTMLElement { name: string; open: boolean; }
interface HTMLDialogElement extends HTMLElement { open: boolean; returnValue: string; close(value?: string): void; show(): void; showModal(): void; }
interface HTMLDivElement extends HTMLElement {}
interface HTMLFieldSetElement extends FormControl { elements: HTMLCollection; }
interface HTMLFormElement extends HTMLElement {
  action: string; autocomplete: string; elements: any; enctype: string; length: number; method: string; name: string; noValidate: boolean;
  target: string; [index: number]: Element; checkValidity(): boolean; reportValidity(): boolean; requestSubmit(submitter?: HTMLElement | null): void;
  reset(): void; submit(): void;
}
interface HTMLHeadElement extends HTMLElement {}
interface HTMLHeadingElement extends HTMLElement {}
interface HTMLHRElement extends HTMLElement {}
interface HTMLHtmlElement extends HTMLElement {}
interface HTMLIFrameElement extends HTMLElement {
  allow: string; contentDocument: Document | null; contentWindow: Window | null; height: string; loading: string; name: string; sandbox: DOMTokenList;
  src: string; srcdoc: string; width: string;
}
interface HTMLImageElement extends HTMLElement {
  alt: string; complete: boolean; crossOrigin: string | null; currentSrc: string; decoding: string; height: number; loading: "eager" | "lazy";
  naturalHeight: number; naturalWidth: number; sizes: string; src: string; srcset: string; useMap: string; width: number; decode(): Promise<void>;
}
interface HTMLInputElement extends TextControl {
  accept: string; alt: string; checked: boolean; defaultChecked: boolean; files: FileList | null; formAction: string; indeterminate: boolean;
  list: HTMLElement | null; max: string; min: string; multiple: boolean; pattern: string; size: number; src: string; step: string;
  valueAsDate: Date | null; valueAsNumber: number; showPicker(): void; stepDown(count?: number): void; stepUp(count?: number): void;
}
interface HTMLLabelElement extends HTMLElement { control: HTMLElement | null; form: HTMLFormElement | null; htmlFor: string; }
interface HTMLLIElement extends HTMLElement { value: number; }
interface HTMLLinkElement extends HTMLElement {
  as: string; crossOrigin: string | null; disabled: boolean; href: string; hreflang: string; integrity: string; media: string; rel: string;
  relList: DOMTokenList; sheet: CSSStyleSheet | null; type: string;
}
interface HTMLMediaElement extends HTMLElement {
  autoplay: boolean; buffered: any; controls: boolean; crossOrigin: string | null; currentSrc: string; currentTime: number; defaultMuted: boolean;
  duration: number; ended: boolean; error: any; loop: boolean; muted: boolean;
  networkState: number; paused: boolean; playbackRate: number; preload: string; readyState: number; seekable: any; seeking: boolean; src: string;
  srcObject: any; textTracks: any; volume: number;
  canPlayType(type: string): string; load(): void; pause(): void; play(): Promise<void>;
}
interface HTMLMetaElement extends HTMLElement { content: string; httpEquiv: string; name: string; }
interface HTMLOListElement extends HTMLElement { reversed: boolean; start: number; type: string; }
interface HTMLOptionElement extends HTMLElement {
  defaultSelected: boolean; disabled: boolean; index: number; label: string; selected: boolean; text: string; value: string;
}
interface HTMLParagraphElement extends HTMLElement {}
interface HTMLPreElement extends HTMLElement {}
interface HTMLProgressElement extends HTMLElement { max: number; position: number; value: number; }
interface HTMLScriptElement extends HTMLElement {
  async: boolean; crossOrigin: string | null; defer: boolean; integrity: string; noModule: boolean; src: string; text: string; type: string;
}
interface HTMLSelectElement extends FormControl {
  length: number; multiple: boolean; options: HTMLCollectionOf<HTMLOptionElement>; required: boolean; selectedIndex: number;
  selectedOptions: HTMLCollectionOf<HTMLOptionElement>; size: number; type: string; value: string; add(option: HTMLOptionElement, before?: any): void;
}
interface HTMLSlotElement extends HTMLElement {
  name: string; assign(...nodes: (Element | Text)[]): void; assignedElements(options?: { flatten?: boolean }): Element[];
  assignedNodes(options?: { flatten?: boolean }): Node[];
}
interface HTMLSourceElement extends HTMLElement { media: string; src: string; srcset: string; type: string; }
interface HTMLSpanElement extends HTMLElement {}
interface HTMLStyleElement extends HTMLElement { disabled: boolean; media: string; sheet: CSSStyleSheet | null; }
interface HTMLTableElement extends HTMLElement {
  rows: HTMLCollectionOf<HTMLTableRowElement>; tBodies: HTMLCollectionOf<HTMLTableSectionElement>; deleteRow(index: number): void;
  insertRow(index?: number): HTMLTableRowElement; createTBody(): HTMLTableSectionElement; createTHead(): HTMLTableSectionElement;
}
interface HTMLTableCellElement extends HTMLElement { cellIndex: number; colSpan: number; rowSpan: number; }
interface HTMLTableRowElement extends HTMLElement {
  cells: HTMLCollectionOf<HTMLTableCellElement>; rowIndex: number; deleteCell(index: number): void; insertCell(index?: number): HTMLTableCellElement;
}
interface HTMLTableSectionElement extends HTMLElement {
  rows: HTMLCollectionOf<HTMLTableRowElement>; deleteRow(index: number): void; insertRow(index?: number): HTMLTableRowElement;
}
interface HTMLTemplateElement extends HTMLElement { content: DocumentFragment; }
interface HTMLTextAreaElement extends TextControl { cols: number; rows: number; textLength: number; wrap: string; }
interface HTMLTitleElement extends HTMLElement { text: string; }
interface HTMLUListElement extends HTMLElement {}
interface HTMLUnknownElement extends HTMLElement {}
interface HTMLVideoElement extends HTMLMediaElement {
  height: number; playsInline: boolean; poster: string; videoHeight: number; videoWidth: number; width: number;
  requestPictureInPicture(): Promise<any>; requestVideoFrameCallback(callback: (now: number, metadata: any) => void): number;
}
interface HTMLElementTagNameMap {
  a: HTMLAnchorElement; article: HTMLElement; aside: HTMLElement; audio: HTMLAudioElement; b: HTMLElement; blockquote: HTMLElement;
  body: HTMLBodyElement; br: HTMLBRElement; button: HTMLButtonElement; canvas: HTMLCanvasElement; code: HTMLElement;
  details: HTMLDetailsElement; dialog: HTMLDialogElement; div: HTMLDivElement; em: HTMLElement; fieldset: HTMLFieldSetElement; figure: HTMLElement;
  footer: HTMLElement; form: HTMLFormElement; h1: HTMLHeadingElement; h2: HTMLHeadingElement;
  h3: HTMLHeadingElement; h4: HTMLHeadingElement; h5: HTMLHeadingElement; h6: HTMLHeadingElement; head: HTMLHeadElement; header: HTMLElement;
  hr: HTMLHRElement; html: HTMLHtmlElement; i: HTMLElement; iframe: HTMLIFrameElement; img: HTMLImageElement;
  input: HTMLInputElement; label: HTMLLabelElement; li: HTMLLIElement; link: HTMLLinkElement; main: HTMLElement; meta: HTMLMetaElement;
  nav: HTMLElement; ol: HTMLOListElement; option: HTMLOptionElement; p: HTMLParagraphElement; pre: HTMLPreElement;
  progress: HTMLProgressElement; script: HTMLScriptElement; section: HTMLElement; select: HTMLSelectElement; slot: HTMLSlotElement;
  small: HTMLElement; source: HTMLSourceElement; span: HTMLSpanElement; strong: HTMLElement; style: HTMLStyleElement;
  summary: HTMLElement; table: HTMLTableElement; tbody: HTMLTableSectionElement; td: HTMLTableCellElement; template: HTMLTemplateElement;
  textarea: HTMLTextAreaElement; th: HTMLTableCellElement; thead: HTMLTableSectionElement; title: HTMLTitleElement;
  tr: HTMLTableRowElement; ul: HTMLUListElement; video: HTMLVideoElement;
}
interface SVGElementTagNameMap {
  circle: SVGGraphicsElement; g: SVGGraphicsElement; line: SVGGraphicsElement; path: SVGPathElement; rect: SVGGraphicsElement; svg: SVGSVGElement;
  text: SVGGraphicsElement; use: SVGGraphicsElement;
}
interface Document extends ParentNode, GlobalEventHandlers {
  activeElement: Element | null; adoptedStyleSheets: CSSStyleSheet[]; body: HTMLElement; characterSet: string; compatMode: string;
  contentType: string; cookie: string; currentScript: HTMLScriptElement | null;
  defaultView: (Window & typeof globalThis) | null; designMode: string; dir: string; doctype: any; documentElement: HTMLElement; documentURI: string;
  domain: string; fonts: any; forms: HTMLCollectionOf<HTMLFormElement>;
  fullscreenElement: Element | null; head: HTMLHeadElement; hidden: boolean; images: HTMLCollectionOf<HTMLImageElement>; implementation: any;
  lastModified: string; links: HTMLCollectionOf<HTMLAnchorElement>;
  location: Location; pointerLockElement: Element | null; readyState: "complete" | "interactive" | "loading"; referrer: string;
  scripts: HTMLCollectionOf<HTMLScriptElement>; scrollingElement: Element | null;
  styleSheets: Iterable<CSSStyleSheet> & ArrayLike<CSSStyleSheet>; title: string; URL: string; visibilityState: "hidden" | "visible";
  onreadystatechange: Handler<Event>; onvisibilitychange: Handler<Event>;
  adoptNode<N extends Node>(node: N): N; close(): void; createAttribute(name: string): Attr; createComment(data: string): Comment;
  createDocumentFragment(): DocumentFragment;
  createElement<K extends keyof HTMLElementTagNameMap>(name: K, options?: any): HTMLElementTagNameMap[K];
  createElement(name: string, options?: any): HTMLElement;
  createElementNS(namespace: "http://www.w3.org/1999/xhtml", name: string): HTMLElement;
  createElementNS<K extends keyof SVGElementTagNameMap>(namespace: "http://www.w3.org/2000/svg", name: K): SVGElementTagNameMap[K];
  createElementNS(namespace: "http://www.w3.org/2000/svg", name: string): SVGElement;
  createElementNS(namespace: string | null, name: string, options?: any): Element;
  createEvent(kind: string): Event; createRange(): Range; createTextNode(data: string): Text;
  createTreeWalker(root: Node, show?: number, filter?: any): TreeWalker; elementFromPoint(x: number, y: number): Element | null;
  elementsFromPoint(x: number, y: number): Element[];
  evaluate(expression: string, context: Node, resolver?: any, type?: number, result?: any): any; execCommand(...args: any[]): boolean;
  exitFullscreen(): Promise<void>; exitPointerLock(): void; getAnimations(): Animation[]; getElementById(id: string): HTMLElement | null;
  getElementsByName(name: string): NodeListOf<HTMLElement>; getSelection(): Selection | null; hasFocus(): boolean;
  importNode<N extends Node>(node: N, deep?: boolean): N; open(...args: any[]): any; queryCommandSupported(command: string): boolean;
  startViewTransition(update?: () => any): any; write(...text: string[]): void; writeln(...text: string[]): void;
}
declare var document: Document;
interface TreeWalker {
  currentNode: Node; root: Node; firstChild(): Node | null; lastChild(): Node | null; nextNode(): Node | null; nextSibling(): Node | null;
  parentNode(): Node | null; previousNode(): Node | null; previousSibling(): Node | null;
}
interface NodeFilterConstructor {
  FILTER_ACCEPT: 1; FILTER_REJECT: 2; FILTER_SKIP: 3; SHOW_ALL: number; SHOW_ELEMENT: 1; SHOW_TEXT: 4; SHOW_COMMENT: 128;
}
declare var NodeFilter: NodeFilterConstructor;
interface Range {
  collapsed: boolean; commonAncestorContainer: Node; endContainer: Node; endOffset: number; startContainer: Node; startOffset: number;
  cloneContents(): DocumentFragment; cloneRange(): Range; collapse(toStart?: boolean): void;
  compareBoundaryPoints(how: number, source: Range): number; createContextualFragment(html: string): DocumentFragment; deleteContents(): void;
  detach(): void; extractContents(): DocumentFragment; getBoundingClientRect(): DOMRect; getClientRects(): DOMRectList; insertNode(node: Node): void;
  intersectsNode(node: Node): boolean; isPointInRange(node: Node, offset: number): boolean; selectNode(node: Node): void;
  selectNodeContents(node: Node): void; setEnd(node: Node, offset: number): void; setEndAfter(node: Node): void; setEndBefore(node: Node): void;
  setStart(node: Node, offset: number): void; setStartAfter(node: Node): void; setStartBefore(node: Node): void; surroundContents(parent: Node): void;
  toString(): string;
}
interface Selection {
  anchorNode: Node | null; anchorOffset: number; focusNode: Node | null; focusOffset: number; isCollapsed: boolean; rangeCount: number; type: string;
  addRange(range: Range): void; collapse(node: Node | null, offset?: number): void;
  collapseToEnd(): void; collapseToStart(): void; containsNode(node: Node, partly?: boolean): boolean; deleteFromDocument(): void; empty(): void;
  extend(node: Node, offset?: number): void; getRangeAt(index: number): Range; modify(...args: any[]): void;
  removeAllRanges(): void; removeRange(range: Range): void; selectAllChildren(node: Node): void;
  setBaseAndExtent(anchor: Node, anchorOffset: number, focus: Node, focusOffset: number): void; toString(): string;
}
interface DOMParser { parseFromString(text: string, type: string): Document; }
interface XMLSerializer { serializeToString(root: Node): string; }
interface MutationRecord {
  addedNodes: NodeList; attributeName: string | null; nextSibling: Node | null; oldValue: string | null; previousSibling: Node | null;
  removedNodes: NodeList; target: Node; type: "attributes" | "characterData" | "childList";
}
interface MutationObserverInit {
  attributeFilter?: string[]; attributeOldValue?: boolean; attributes?: boolean; characterData?: boolean; characterDataOldValue?: boolean;
  childList?: boolean; subtree?: boolean;
}
interface MutationObserver { disconnect(): void; observe(target: Node, options?: MutationObserverInit): void; takeRecords(): MutationRecord[]; }
interface MutationObserverConstructor {
  new (callback: (records: MutationRecord[], observer: MutationObserver) => void): MutationObserver; prototype: MutationObserver;
}
declare var MutationObserver: MutationObserverConstructor;
interface ResizeObserverEntry { borderBoxSize: readonly any[]; contentBoxSize: readonly any[]; contentRect: DOMRectReadOnly; target: Element; }
interface ResizeObserver { disconnect(): void; observe(target: Element, options?: any): void; unobserve(target: Element): void; }
interface ResizeObserverConstructor {
  new (callback: (entries: ResizeObserverEntry[], observer: ResizeObserver) => void): ResizeObserver; prototype: ResizeObserver;
}
declare var ResizeObserver: ResizeObserverConstructor;
interface IntersectionObserverEntry {
  boundingClientRect: DOMRectReadOnly; intersectionRatio: number; intersectionRect: DOMRectReadOnly; isIntersecting: boolean;
  rootBounds: DOMRectReadOnly | null; target: Element; time: number;
}
interface IntersectionObserverInit { root?: Element | Document | null; rootMargin?: string; threshold?: number | number[]; }
interface IntersectionObserver {
  root: Element | Document | null; rootMargin: string; thresholds: readonly number[]; disconnect(): void; observe(target: Element): void;
  takeRecords(): IntersectionObserverEntry[]; unobserve(target: Element): void;
}
interface IntersectionObserverConstructor {
  new (callback: (entries: IntersectionObserverEntry[], observer: IntersectionObserver) => void, options?: IntersectionObserverInit): IntersectionObserver;
  prototype: IntersectionObserver;
}
declare var IntersectionObserver: IntersectionObserverConstructor;
interface CustomElementRegistry {
  define(name: string, constructor: new (...args: any[]) => HTMLElement, options?: any): void;
  get(name: string): (new (...args: any[]) => HTMLElement) | undefined; upgrade(root: Node): void; whenDefined(name: string): Promise<any>;
}
declare var customElements: CustomElementRegistry;
interface DataTransferItem { kind: string; type: string; getAsFile(): File | null; getAsString(callback: ((data: string) => void) | null): void; }
interface DataTransfer {
  dropEffect: string; effectAllowed: string; files: FileList; items: Iterable<DataTransferItem> & ArrayLike<DataTransferItem>;
  types: readonly string[]; clearData(format?: string): void; getData(format: string): string; setData(format: string, data: string): void;
  setDragImage(image: Element, x: number, y: number): void;
}
interface MediaQueryList extends EventTarget {
  matches: boolean; media: string; onchange: Handler<MediaQueryListEvent>; addListener(callback: Handler<MediaQueryListEvent>): void;
  removeListener(callback: Handler<MediaQueryListEvent>): void;
  addEventListener(type: string, listener: ((event: MediaQueryListEvent) => any) | EventListenerObject | null, options?: any): void;
}
interface Location {
  ancestorOrigins: any; hash: string; host: string; hostname: string; href: string; origin: string; pathname: string; port: string; protocol: string;
  search: string; assign(url: string | URL): void; reload(): void; replace(url: string | URL): void; toString(): string;
}
declare var location: Location;
interface History {
  length: number; scrollRestoration: "auto" | "manual"; state: any; back(): void; forward(): void; go(delta?: number): void;
  pushState(data: any, unused: string, url?: string | URL | null): void; replaceState(data: any, unused: string, url?: string | URL | null): void;
}
declare var history: History;
interface Clipboard extends EventTarget {
  read(): Promise<any[]>; readText(): Promise<string>; write(items: any[]): Promise<void>; writeText(text: string): Promise<void>;
}
interface Navigator {
  clipboard: Clipboard; connection: any; cookieEnabled: boolean; credentials: any; deviceMemory: number; geolocation: any;
  hardwareConcurrency: number; language: string; languages: readonly string[]; locks: any;
  maxTouchPoints: number; mediaDevices: any; onLine: boolean; permissions: any; platform: string; serviceWorker: any; storage: any;
  userActivation: any; userAgent: string; userAgentData: any; vendor: string;
  canShare(data?: any): boolean; sendBeacon(url: string | URL, data?: any): boolean; share(data?: any): Promise<void>;
  vibrate(pattern: number | number[]): boolean;
}
declare var navigator: Navigator;
interface Storage {
  length: number; clear(): void; getItem(key: string): string | null; key(index: number): string | null; removeItem(key: string): void;
  setItem(key: string, value: string): void; [name: string]: any;
}
declare var localStorage: Storage;
declare var sessionStorage: Storage;
interface VisualViewport extends EventTarget {
  height: number; offsetLeft: number; offsetTop: number; pageLeft: number; pageTop: number; scale: number; width: number;
}
interface WindowOrWorkerGlobalScope {
  caches: any; crypto: Crypto; indexedDB: any; isSecureContext: boolean; origin: string; performance: Performance;
  atob(data: string): string; btoa(data: string): string; clearInterval(id: any): void; clearTimeout(id: any): void;
  createImageBitmap(image: any, ...options: any[]): Promise<any>; fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response>;
  queueMicrotask(callback: () => void): void; reportError(error: any): void;
  setInterval(handler: TimerHandler, timeout?: number, ...args: any[]): number & NodeJS.Timeout;
  setTimeout(handler: TimerHandler, timeout?: number, ...args: any[]): number & NodeJS.Timeout; structuredClone<T = any>(value: T, options?: any): T;
}
type WindowProxy = Window;
interface Window extends EventTarget, GlobalEventHandlers, WindowOrWorkerGlobalScope {
  onbeforeunload: Handler<BeforeUnloadEvent>; onhashchange: Handler<HashChangeEvent>; onmessage: Handler<MessageEvent>; onoffline: Handler<Event>;
  ononline: Handler<Event>; onpopstate: Handler<PopStateEvent>; onstorage: Handler<StorageEvent>;
  onunhandledrejection: Handler<PromiseRejectionEvent>;
  closed: boolean; customElements: CustomElementRegistry; devicePixelRatio: number; document: Document; event: Event | undefined;
  frameElement: Element | null; frames: Window; history: History; innerHeight: number; innerWidth: number;
  length: number; location: Location; localStorage: Storage; name: string; navigator: Navigator; opener: any; outerHeight: number; outerWidth: number;
  pageXOffset: number; pageYOffset: number; parent: Window; screen: any;
  screenLeft: number; screenTop: number; screenX: number; screenY: number; scrollX: number; scrollY: number; self: Window & typeof globalThis;
  sessionStorage: Storage; speechSynthesis: any; top: Window | null;
  visualViewport: VisualViewport | null; window: Window & typeof globalThis; alert(message?: any): void; blur(): void;
  cancelAnimationFrame(handle: number): void; cancelIdleCallback(handle: number): void; close(): void; confirm(message?: string): boolean;
  focus(): void;
  getComputedStyle(element: Element, pseudo?: string | null): CSSStyleDeclaration; getSelection(): Selection | null;
  matchMedia(query: string): MediaQueryList; moveBy(x: number, y: number): void; moveTo(x: number, y: number): void;
  open(url?: string | URL, target?: string, features?: string): Window | null;
  postMessage(message: any, ...options: any[]): void; print(): void; prompt(message?: string, value?: string): string | null;
  requestAnimationFrame(callback: (time: number) => void): number;
  requestIdleCallback(callback: (deadline: IdleDeadline) => void, options?: { timeout?: number }): number; resizeBy(x: number, y: number): void;
  resizeTo(width: number, height: number): void; scroll(...args: any[]): void; scrollBy(...args: any[]): void; scrollTo(...args: any[]): void;
  stop(): void; [index: number]: Window;
}
declare var window: Window & typeof globalThis;
declare var self: Window & typeof globalThis;
declare var parent: Window;
declare var top: Window | null;
declare var innerHeight: number;
declare var innerWidth: number;
declare var devicePixelRatio: number;
declare var scrollX: number;
declare var scrollY: number;
declare var screen: any;
declare var visualViewport: VisualViewport | null;
declare var indexedDB: any;
declare var caches: any;
interface IdleDeadline { didTimeout: boolean; timeRemaining(): number; }
type TimerHandler = string | ((...args: any[]) => void);
type FrameRequestCallback = (time: number) => void;
declare function alert(message?: any): void;
declare function atob(data: string): string;
declare function btoa(data: string): string;
declare function cancelAnimationFrame(handle: number): void;
declare function cancelIdleCallback(handle: number): void;
declare function clearInterval(id: number | string | NodeJS.Timeout | null | undefined): void;
declare function clearTimeout(id: number | string | NodeJS.Timeout | null | undefined): void;
declare function confirm(message?: string): boolean;
declare function createImageBitmap(image: any, ...options: any[]): Promise<any>;
declare function fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response>;
declare function getComputedStyle(element: Element, pseudo?: string | null): CSSStyleDeclaration;
declare function getSelection(): Selection | null;
declare function matchMedia(query: string): MediaQueryList;
declare function open(url?: string | URL, target?: string, features?: string): Window | null;
declare function postMessage(message: any, ...options: any[]): void;
declare function prompt(message?: string, value?: string): string | null;
declare function queueMicrotask(callback: () => void): void;
declare function reportError(error: any): void;
declare function requestAnimationFrame(callback: (time: number) => void): number;
declare function requestIdleCallback(callback: (deadline: IdleDeadline) => void, options?: { timeout?: number }): number;
declare function scrollTo(...args: any[]): void;
declare function setInterval<A extends any[]>(handler: ((...args: A) => void) | string, timeout?: number, ...args: A): number & NodeJS.Timeout;
declare function setTimeout<A extends any[]>(handler: ((...args: A) => void) | string, timeout?: number, ...args: A): number & NodeJS.Timeout;
declare function structuredClone<T = any>(value: T, options?: any): T;
declare function addEventListener<K extends keyof WindowEventMap>(type: K, listener: (event: WindowEventMap[K]) => any, options?: any): void;
declare function addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: any): void;
declare function removeEventListener(type: string, listener: any, options?: boolean | EventListenerOptions): void;
declare function dispatchEvent(event: Event): boolean;

interface Console {
  assert(condition?: boolean, ...data: any[]): void; clear(): void; count(label?: string): void; countReset(label?: string): void;
  debug(...data: any[]): void; dir(item?: any, options?: any): void; dirxml(...data: any[]): void; error(...data: any[]): void;
  group(...data: any[]): void;
  groupCollapsed(...data: any[]): void; groupEnd(): void; info(...data: any[]): void; log(...data: any[]): void;
  table(data?: any, columns?: readonly string[]): void; time(label?: string): void; timeEnd(label?: string): void;
  timeLog(label?: string, ...data: any[]): void; timeStamp(label?: string): void; trace(...data: any[]): void; warn(...data: any[]): void;
}
declare var console: Console;

interface URL extends HyperlinkParts { searchParams: URLSearchParams; toJSON(): string; toString(): string; }
interface URLConstructor {
  new (url: string | URL, base?: string | URL): URL; prototype: URL; canParse(url: string | URL, base?: string | URL): boolean;
  createObjectURL(object: any): string; parse(url: string | URL, base?: string | URL): URL | null; revokeObjectURL(url: string): void;
}
declare var URL: URLConstructor;
interface URLSearchParams extends Iterable<[string, string]> {
  size: number; append(name: string, value: string): void; delete(name: string, value?: string): void; get(name: string): string | null;
  getAll(name: string): string[]; has(name: string, value?: string): boolean; set(name: string, value: string): void; sort(): void;
  toString(): string;
  forEach(callback: (value: string, key: string, parent: URLSearchParams) => void, thisArg?: any): void;
  entries(): IterableIterator<[string, string]>; keys(): IterableIterator<string>; values(): IterableIterator<string>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
}
type BufferSource = ArrayBufferView | ArrayBuffer;
type BlobPart = BufferSource | Blob | string;
interface Blob {
  size: number; type: string; arrayBuffer(): Promise<ArrayBuffer>; bytes(): Promise<Uint8Array>;
  slice(start?: number, end?: number, type?: string): Blob; stream(): ReadableStream<Uint8Array>; text(): Promise<string>;
}
interface BlobPropertyBag { endings?: string; type?: string; }
interface BlobConstructor { new (parts?: BlobPart[], options?: BlobPropertyBag): Blob; prototype: Blob; }
declare var Blob: BlobConstructor;
interface File extends Blob { lastModified: number; name: string; }
interface FileConstructor { new (parts: BlobPart[], name: string, options?: any): File; prototype: File; }
declare var File: FileConstructor;
interface FileList extends Iterable<File> { length: number; [index: number]: File; item(index: number): File | null; }
interface FileReader extends EventTarget {
  error: any; readyState: number; result: string | ArrayBuffer | null; onabort: Handler<ProgressEvent<FileReader>>;
  onerror: Handler<ProgressEvent<FileReader>>; onload: Handler<ProgressEvent<FileReader>>; onloadend: Handler<ProgressEvent<FileReader>>;
  onprogress: Handler<ProgressEvent<FileReader>>; abort(): void; readAsArrayBuffer(blob: Blob): void; readAsDataURL(blob: Blob): void;
  readAsText(blob: Blob, encoding?: string): void;
}
type FormDataEntryValue = File | string;
interface FormData extends Iterable<[string, FormDataEntryValue]> {
  append(name: string, value: string | Blob, filename?: string): void; delete(name: string): void; get(name: string): FormDataEntryValue | null;
  getAll(name: string): FormDataEntryValue[]; has(name: string): boolean; set(name: string, value: string | Blob, filename?: string): void;
  forEach(callback: (value: FormDataEntryValue, key: string, parent: FormData) => void, thisArg?: any): void;
  entries(): IterableIterator<[string, FormDataEntryValue]>; keys(): IterableIterator<string>; values(): IterableIterator<FormDataEntryValue>;
  [Symbol.iterator](): IterableIterator<[string, FormDataEntryValue]>;
}
type HeadersInit = [string, string][] | Record<string, string> | Headers;
interface Headers extends Iterable<[string, string]> {
  append(name: string, value: string): void; delete(name: string): void; get(name: string): string | null; getSetCookie(): string[];
  has(name: string): boolean; set(name: string, value: string): void;
  forEach(callback: (value: string, key: string, parent: Headers) => void, thisArg?: any): void; entries(): IterableIterator<[string, string]>;
  keys(): IterableIterator<string>; values(): IterableIterator<string>; [Symbol.iterator](): IterableIterator<[string, string]>;
}
interface HeadersConstructor { new (init?: HeadersInit): Headers; prototype: Headers; }
declare var Headers: HeadersConstructor;
type BodyInit = ReadableStream | Blob | BufferSource | FormData | URLSearchParams | string;
type RequestInfo = Request | string;
type RequestMode = "cors" | "navigate" | "no-cors" | "same-origin";
type RequestCredentials = "include" | "omit" | "same-origin";
type RequestCache = "default" | "force-cache" | "no-cache" | "no-store" | "only-if-cached" | "reload";
type RequestRedirect = "error" | "follow" | "manual";
interface RequestInit {
  body?: BodyInit | null; cache?: RequestCache; credentials?: RequestCredentials; duplex?: string; headers?: HeadersInit; integrity?: string;
  keepalive?: boolean; method?: string; mode?: RequestMode; priority?: string; redirect?: RequestRedirect; referrer?: string; referrerPolicy?: any;
  signal?: AbortSignal | null; window?: null;
}
interface Request {
  body: ReadableStream<Uint8Array> | null; bodyUsed: boolean; arrayBuffer(): Promise<ArrayBuffer>; blob(): Promise<Blob>;
  bytes(): Promise<Uint8Array>; formData(): Promise<FormData>; json(): Promise<any>; text(): Promise<string>; cache: RequestCache;
  credentials: RequestCredentials; destination: string; headers: Headers; integrity: string; keepalive: boolean; method: string; mode: RequestMode;
  redirect: RequestRedirect; referrer: string; signal: AbortSignal; url: string; clone(): Request;
}
interface RequestConstructor { new (input: RequestInfo | URL, init?: RequestInit): Request; prototype: Request; }
declare var Request: RequestConstructor;
interface ResponseInit { headers?: HeadersInit; status?: number; statusText?: string; }
interface Response {
  body: ReadableStream<Uint8Array> | null; bodyUsed: boolean; arrayBuffer(): Promise<ArrayBuffer>; blob(): Promise<Blob>;
  bytes(): Promise<Uint8Array>; formData(): Promise<FormData>; json(): Promise<any>; text(): Promise<string>; headers: Headers; ok: boolean;
  redirected: boolean; status: number; statusText: string; type: string; url: string; clone(): Response;
}
interface ResponseConstructor {
  new (body?: BodyInit | null, init?: ResponseInit): Response; prototype: Response; error(): Response; json(data: any, init?: ResponseInit): Response;
  redirect(url: string | URL, status?: number): Response;
}
declare var Response: ResponseConstructor;
interface XMLHttpRequest extends EventTarget {
  readyState: number; response: any; responseText: string; responseType: string; responseURL: string; responseXML: Document | null; status: number;
  statusText: string; timeout: number; upload: EventTarget; withCredentials: boolean; onabort: Handler<ProgressEvent>;
  onerror: Handler<ProgressEvent>;
  onload: Handler<ProgressEvent>; onloadend: Handler<ProgressEvent>; onprogress: Handler<ProgressEvent>; onreadystatechange: Handler<Event>;
  ontimeout: Handler<ProgressEvent>; abort(): void; getAllResponseHeaders(): string; getResponseHeader(name: string): string | null;
  open(method: string, url: string | URL, async?: boolean, user?: string | null, password?: string | null): void;
  overrideMimeType(type: string): void; send(body?: any): void; setRequestHeader(name: string, value: string): void;
}
interface WebSocketEventMap { close: CloseEvent; error: Event; message: MessageEvent; open: Event; }
interface WebSocket extends EventTarget {
  binaryType: "arraybuffer" | "blob"; bufferedAmount: number; extensions: string; protocol: string; readyState: number; url: string;
  onclose: Handler<CloseEvent>; onerror: Handler<Event>; onmessage: Handler<MessageEvent>; onopen: Handler<Event>;
  addEventListener<K extends keyof WebSocketEventMap>(type: K, listener: (event: WebSocketEventMap[K]) => any, options?: any): void;
  addEventListener(type: string, listener: any, options?: any): void; close(code?: number, reason?: string): void;
  send(data: string | Blob | BufferSource): void;
}
interface WebSocketConstructor {
  new (url: string | URL, protocols?: any): WebSocket; prototype: WebSocket; CONNECTING: 0; OPEN: 1; CLOSING: 2; CLOSED: 3;
}
declare var WebSocket: WebSocketConstructor;
interface EventSource extends EventTarget {
  readyState: number; url: string; withCredentials: boolean; onerror: Handler<Event>; onmessage: Handler<MessageEvent>; onopen: Handler<Event>;
  addEventListener(type: string, listener: (event: MessageEvent) => any, options?: any): void; close(): void;
}
interface MessagePort extends EventTarget {
  onmessage: Handler<MessageEvent>; onmessageerror: Handler<MessageEvent>; close(): void; postMessage(message: any, options?: any): void;
  start(): void;
}
interface MessageChannel { port1: MessagePort; port2: MessagePort; }
interface BroadcastChannel extends EventTarget { name: string; onmessage: Handler<MessageEvent>; close(): void; postMessage(message: any): void; }
interface Worker extends EventTarget {
  onerror: Handler<ErrorEvent>; onmessage: Handler<MessageEvent>; onmessageerror: Handler<MessageEvent>;
  postMessage(message: any, options?: any): void; terminate(): void;
}
interface SharedWorker extends EventTarget { port: MessagePort; }
interface WorkerGlobalScope extends EventTarget, WindowOrWorkerGlobalScope {
  location: Location; navigator: Navigator; self: WorkerGlobalScope & typeof globalThis; importScripts(...urls: (string | URL)[]): void;
}
interface DedicatedWorkerGlobalScope extends WorkerGlobalScope {
  name: string; onmessage: Handler<MessageEvent>; close(): void; postMessage(message: any, options?: any): void;
}
declare function importScripts(...urls: (string | URL)[]): void;

interface QueuingStrategy<T = any> { highWaterMark?: number; size?: (chunk: T) => number; }
interface ReadableStreamReadDoneResult<T> { done: true; value: T | undefined; }
interface ReadableStreamReadValueResult<T> { done: false; value: T; }
type ReadableStreamReadResult<T> = ReadableStreamReadValueResult<T> | ReadableStreamReadDoneResult<T>;
interface ReadableStreamDefaultController<R = any> { desiredSize: number | null; close(): void; enqueue(chunk?: R): void; error(reason?: any): void; }
type ReadableStreamController<T> = ReadableStreamDefaultController<T>;
interface ReadableStreamDefaultReader<R = any> {
  closed: Promise<undefined>; cancel(reason?: any): Promise<void>; read(): Promise<ReadableStreamReadResult<R>>; releaseLock(): void;
}
interface UnderlyingSource<R = any> {
  cancel?: (reason?: any) => void | PromiseLike<void>; pull?: (controller: ReadableStreamDefaultController<R>) => void | PromiseLike<void>;
  start?: (controller: ReadableStreamDefaultController<R>) => any; type?: string;
}
interface ReadableStream<R = any> extends AsyncIterable<R> {
  locked: boolean; cancel(reason?: any): Promise<void>; getReader(options?: any): ReadableStreamDefaultReader<R>;
  pipeThrough<T>(transform: { readable: ReadableStream<T>; writable: WritableStream<R> }, options?: any): ReadableStream<T>;
  pipeTo(destination: WritableStream<R>, options?: any): Promise<void>;
  tee(): [ReadableStream<R>, ReadableStream<R>]; values(options?: any): AsyncIterableIterator<R>;
  [Symbol.asyncIterator](options?: any): AsyncIterableIterator<R>;
}
interface ReadableStreamConstructor {
  new <R = any>(source?: UnderlyingSource<R>, strategy?: QueuingStrategy<R>): ReadableStream<R>;
  from<R>(source: AsyncIterable<R> | Iterable<R>): ReadableStream<R>; prototype: ReadableStream;
}
declare var ReadableStream: ReadableStreamConstructor;
interface WritableStreamDefaultController { signal: AbortSignal; error(reason?: any): void; }
interface WritableStreamDefaultWriter<W = any> {
  closed: Promise<undefined>; desiredSize: number | null; ready: Promise<undefined>; abort(reason?: any): Promise<void>; close(): Promise<void>;
  releaseLock(): void; write(chunk?: W): Promise<void>;
}
interface UnderlyingSink<W = any> {
  abort?: (reason?: any) => void | PromiseLike<void>; close?: () => void | PromiseLike<void>;
  start?: (controller: WritableStreamDefaultController) => any;
  write?: (chunk: W, controller: WritableStreamDefaultController) => void | PromiseLike<void>;
}
interface WritableStream<W = any> {
  locked: boolean; abort(reason?: any): Promise<void>; close(): Promise<void>; getWriter(): WritableStreamDefaultWriter<W>;
}
interface WritableStreamConstructor {
  new <W = any>(sink?: UnderlyingSink<W>, strategy?: QueuingStrategy<W>): WritableStream<W>; prototype: WritableStream;
}
declare var WritableStream: WritableStreamConstructor;
interface TransformStreamDefaultController<O = any> {
  desiredSize: number | null; enqueue(chunk?: O): void; error(reason?: any): void; terminate(): void;
}
interface Transformer<I = any, O = any> {
  flush?: (controller: TransformStreamDefaultController<O>) => void | PromiseLike<void>;
  start?: (controller: TransformStreamDefaultController<O>) => any;
  transform?: (chunk: I, controller: TransformStreamDefaultController<O>) => void | PromiseLike<void>;
}
interface TransformStream<I = any, O = any> { readable: ReadableStream<O>; writable: WritableStream<I>; }
interface TransformStreamConstructor {
  new <I = any, O = any>(transformer?: Transformer<I, O>, writable?: QueuingStrategy<I>, readable?: QueuingStrategy<O>): TransformStream<I, O>;
  prototype: TransformStream;
}
declare var TransformStream: TransformStreamConstructor;
interface TextEncoder {
  encoding: string; encode(text?: string): Uint8Array; encodeInto(text: string, target: Uint8Array): { read: number; written: number };
}
interface TextDecoder { encoding: string; fatal: boolean; ignoreBOM: boolean; decode(data?: BufferSource, options?: { stream?: boolean }): string; }
interface TextEncoderStream extends TransformStream<string, Uint8Array> {}
interface TextDecoderStream extends TransformStream<BufferSource, string> {}
interface CompressionStream extends TransformStream<BufferSource, Uint8Array> {}
interface DecompressionStream extends TransformStream<BufferSource, Uint8Array> {}

interface CryptoKey { algorithm: any; extractable: boolean; type: string; usages: string[]; }
interface CryptoKeyPair { privateKey: CryptoKey; publicKey: CryptoKey; }
interface SubtleCrypto {
  decrypt(...args: any[]): Promise<ArrayBuffer>; deriveBits(...args: any[]): Promise<ArrayBuffer>; deriveKey(...args: any[]): Promise<CryptoKey>;
  digest(algorithm: any, data: BufferSource): Promise<ArrayBuffer>;
  encrypt(...args: any[]): Promise<ArrayBuffer>; exportKey(format: string, key: CryptoKey): Promise<any>; generateKey(...args: any[]): Promise<any>;
  importKey(...args: any[]): Promise<CryptoKey>;
  sign(...args: any[]): Promise<ArrayBuffer>; unwrapKey(...args: any[]): Promise<CryptoKey>; verify(...args: any[]): Promise<boolean>;
  wrapKey(...args: any[]): Promise<ArrayBuffer>;
}
interface Crypto { subtle: SubtleCrypto; getRandomValues<T extends ArrayBufferView | null>(array: T): T; randomUUID(): string; }
declare var crypto: Crypto;
interface PerformanceEntry { duration: number; entryType: string; name: string; startTime: number; toJSON(): any; }
interface PerformanceMark extends PerformanceEntry { detail: any; }
interface PerformanceMeasure extends PerformanceEntry { detail: any; }
interface Performance extends EventTarget {
  memory: any; navigation: any; timeOrigin: number; timing: any; clearMarks(name?: string): void; clearMeasures(name?: string): void;
  clearResourceTimings(): void; getEntries(): PerformanceEntry[]; getEntriesByName(name: string, type?: string): PerformanceEntry[];
  getEntriesByType(type: string): PerformanceEntry[]; mark(name: string, options?: any): PerformanceMark;
  measure(name: string, start?: any, end?: string): PerformanceMeasure; now(): number; toJSON(): any;
}
declare var performance: Performance;
interface PerformanceObserverEntryList {
  getEntries(): PerformanceEntry[]; getEntriesByName(name: string, type?: string): PerformanceEntry[];
  getEntriesByType(type: string): PerformanceEntry[];
}
interface PerformanceObserver { disconnect(): void; observe(options?: any): void; takeRecords(): PerformanceEntry[]; }
interface PerformanceObserverConstructor {
  new (callback: (entries: PerformanceObserverEntryList, observer: PerformanceObserver) => void): PerformanceObserver;
  supportedEntryTypes: readonly string[]; prototype: PerformanceObserver;
}
declare var PerformanceObserver: PerformanceObserverConstructor;
interface DOMException extends Error { code: number; message: string; name: string; }
interface DOMExceptionConstructor { new (message?: string, name?: string | ErrorOptions): DOMException; prototype: DOMException; ABORT_ERR: 20; }
declare var DOMException: DOMExceptionConstructor;
interface MediaStream extends EventTarget {
  active: boolean; id: string; addTrack(track: any): void; clone(): MediaStream; getAudioTracks(): any[]; getTracks(): any[]; getVideoTracks(): any[];
  removeTrack(track: any): void;
}
interface ImageData { data: Uint8ClampedArray; height: number; width: number; }
interface TextMetrics {
  actualBoundingBoxAscent: number; actualBoundingBoxDescent: number; actualBoundingBoxLeft: number; actualBoundingBoxRight: number;
  fontBoundingBoxAscent: number; fontBoundingBoxDescent: number; width: number;
}
interface CanvasGradient { addColorStop(offset: number, color: string): void; }
interface CanvasPathMethods {
  arc(...args: any[]): void; arcTo(...args: number[]): void; bezierCurveTo(...args: number[]): void; closePath(): void; ellipse(...args: any[]): void;
  lineTo(x: number, y: number): void; moveTo(x: number, y: number): void; quadraticCurveTo(...args: number[]): void; rect(...args: number[]): void;
  roundRect(...args: any[]): void;
}
interface Path2D extends CanvasPathMethods { addPath(path: Path2D, transform?: any): void; }
interface CanvasRenderingContext2D extends CanvasPathMethods {
  canvas: HTMLCanvasElement; direction: any; fillStyle: any; filter: string; font: string; globalAlpha: number; globalCompositeOperation: any;
  imageSmoothingEnabled: boolean; imageSmoothingQuality: any; letterSpacing: string; lineCap: any; lineDashOffset: number; lineJoin: any;
  lineWidth: number; miterLimit: number; shadowBlur: number; shadowColor: string; shadowOffsetX: number; shadowOffsetY: number;
  strokeStyle: any; textAlign: any; textBaseline: any; beginPath(): void; clearRect(...args: number[]): void; clip(...args: any[]): void;
  createConicGradient(...args: number[]): CanvasGradient; createImageData(...args: any[]): ImageData;
  createLinearGradient(...args: number[]): CanvasGradient; createPattern(image: any, repetition: string | null): any;
  createRadialGradient(...args: number[]): CanvasGradient; drawImage(image: any, ...args: number[]): void; fill(...args: any[]): void;
  fillRect(...args: number[]): void; fillText(...args: any[]): void; getContextAttributes(): any; getImageData(...args: any[]): ImageData;
  getLineDash(): number[];
  getTransform(): any; isPointInPath(...args: any[]): boolean; isPointInStroke(...args: any[]): boolean; measureText(text: string): TextMetrics;
  putImageData(data: ImageData, x: number, y: number, ...dirty: number[]): void; reset(): void; resetTransform(): void; restore(): void;
  rotate(angle: number): void; save(): void; scale(x: number, y: number): void; setLineDash(segments: number[]): void;
  setTransform(...args: any[]): void;
  stroke(path?: Path2D): void; strokeRect(...args: number[]): void; strokeText(...args: any[]): void; transform(...args: number[]): void;
  translate(x: number, y: number): void;
}
interface OffscreenCanvas extends EventTarget {
  height: number; width: number; convertToBlob(options?: any): Promise<Blob>; getContext(kind: string, options?: any): any;
  transferToImageBitmap(): any;
}
interface WebGLRenderingContext { canvas: HTMLCanvasElement; [member: string]: any; }
interface WebGL2RenderingContext extends WebGLRenderingContext {}
interface Notification extends EventTarget { body: string; title: string; onclick: Handler<Event>; close(): void; }
interface NotificationConstructor {
  new (title: string, options?: any): Notification; permission: string; requestPermission(): Promise<string>; prototype: Notification;
}
declare var Notification: NotificationConstructor;

declare var EventTarget: DOMClass<EventTarget>, Event: DOMClass<Event>, UIEvent: DOMClass<UIEvent>, MouseEvent: DOMClass<MouseEvent>;
declare var PointerEvent: DOMClass<PointerEvent>, WheelEvent: DOMClass<WheelEvent>;
declare var DragEvent: DOMClass<DragEvent>, KeyboardEvent: DOMClass<KeyboardEvent>, FocusEvent: DOMClass<FocusEvent>;
declare var InputEvent: DOMClass<InputEvent>, CompositionEvent: DOMClass<CompositionEvent>;
declare var ClipboardEvent: DOMClass<ClipboardEvent>, Touch: DOMClass<Touch>, TouchEvent: DOMClass<TouchEvent>;
declare var AnimationEvent: DOMClass<AnimationEvent>, TransitionEvent: DOMClass<TransitionEvent>;
declare var ErrorEvent: DOMClass<ErrorEvent>, HashChangeEvent: DOMClass<HashChangeEvent>, PopStateEvent: DOMClass<PopStateEvent>;
declare var ProgressEvent: DOMClass<ProgressEvent>;
declare var PromiseRejectionEvent: DOMClass<PromiseRejectionEvent>, StorageEvent: DOMClass<StorageEvent>, SubmitEvent: DOMClass<SubmitEvent>;
declare var CloseEvent: DOMClass<CloseEvent>;
declare var AbortController: DOMClass<AbortController>, NodeList: DOMClass<NodeList>, HTMLCollection: DOMClass<HTMLCollection>, Attr: DOMClass<Attr>;
declare var Text: DOMClass<Text>, Comment: DOMClass<Comment>;
declare var DocumentFragment: DOMClass<DocumentFragment>, ShadowRoot: DOMClass<ShadowRoot>, Element: DOMClass<Element>;
declare var CSSStyleSheet: DOMClass<CSSStyleSheet>, HTMLElement: DOMClass<HTMLElement>;
declare var SVGElement: DOMClass<SVGElement>, SVGGraphicsElement: DOMClass<SVGGraphicsElement>, SVGSVGElement: DOMClass<SVGSVGElement>;
declare var SVGPathElement: DOMClass<SVGPathElement>;
declare var HTMLAnchorElement: DOMClass<HTMLAnchorElement>, HTMLAudioElement: DOMClass<HTMLAudioElement>, HTMLBodyElement: DOMClass<HTMLBodyElement>;
declare var HTMLButtonElement: DOMClass<HTMLButtonElement>;
declare var HTMLCanvasElement: DOMClass<HTMLCanvasElement>, HTMLDetailsElement: DOMClass<HTMLDetailsElement>;
declare var HTMLDialogElement: DOMClass<HTMLDialogElement>, HTMLDivElement: DOMClass<HTMLDivElement>;
declare var HTMLFormElement: DOMClass<HTMLFormElement>, HTMLHeadingElement: DOMClass<HTMLHeadingElement>;
declare var HTMLIFrameElement: DOMClass<HTMLIFrameElement>, HTMLImageElement: DOMClass<HTMLImageElement>;
declare var HTMLInputElement: DOMClass<HTMLInputElement>, HTMLLabelElement: DOMClass<HTMLLabelElement>, HTMLLinkElement: DOMClass<HTMLLinkElement>;
declare var HTMLMediaElement: DOMClass<HTMLMediaElement>;
declare var HTMLOptionElement: DOMClass<HTMLOptionElement>, HTMLScriptElement: DOMClass<HTMLScriptElement>;
declare var HTMLSelectElement: DOMClass<HTMLSelectElement>, HTMLSlotElement: DOMClass<HTMLSlotElement>;
declare var HTMLSpanElement: DOMClass<HTMLSpanElement>, HTMLStyleElement: DOMClass<HTMLStyleElement>;
declare var HTMLTemplateElement: DOMClass<HTMLTemplateElement>, HTMLTextAreaElement: DOMClass<HTMLTextAreaElement>;
declare var HTMLVideoElement: DOMClass<HTMLVideoElement>, Image: DOMClass<HTMLImageElement>, Audio: DOMClass<HTMLAudioElement>;
declare var Option: DOMClass<HTMLOptionElement>, Document: DOMClass<Document>;
declare var Range: DOMClass<Range>, Selection: DOMClass<Selection>, DOMParser: DOMClass<DOMParser>, XMLSerializer: DOMClass<XMLSerializer>;
declare var DataTransfer: DOMClass<DataTransfer>, Storage: DOMClass<Storage>;
declare var Window: DOMClass<Window>, URLSearchParams: DOMClass<URLSearchParams>, FileList: DOMClass<FileList>, FileReader: DOMClass<FileReader>;
declare var FormData: DOMClass<FormData>;
declare var XMLHttpRequest: DOMClass<XMLHttpRequest>, EventSource: DOMClass<EventSource>, MessagePort: DOMClass<MessagePort>;
declare var MessageChannel: DOMClass<MessageChannel>, BroadcastChannel: DOMClass<BroadcastChannel>;
declare var Worker: DOMClass<Worker>, SharedWorker: DOMClass<SharedWorker>, ReadableStreamDefaultReader: DOMClass<ReadableStreamDefaultReader>;
declare var TextEncoder: DOMClass<TextEncoder>, TextDecoder: DOMClass<TextDecoder>;
declare var TextEncoderStream: DOMClass<TextEncoderStream>, TextDecoderStream: DOMClass<TextDecoderStream>;
declare var CompressionStream: DOMClass<CompressionStream>, DecompressionStream: DOMClass<DecompressionStream>;
declare var CryptoKey: DOMClass<CryptoKey>, MediaStream: DOMClass<MediaStream>, ImageData: DOMClass<ImageData>, Path2D: DOMClass<Path2D>;
declare var CanvasRenderingContext2D: DOMClass<CanvasRenderingContext2D>;
declare var OffscreenCanvas: DOMClass<OffscreenCanvas>, WebGLRenderingContext: DOMClass<WebGLRenderingContext>;
declare var WebGL2RenderingContext: DOMClass<WebGL2RenderingContext>;
declare var Crypto: DOMClass<Crypto>, SubtleCrypto: DOMClass<SubtleCrypto>, Performance: DOMClass<Performance>;
declare var PerformanceEntry: DOMClass<PerformanceEntry>, PerformanceMark: DOMClass<PerformanceMark>;
declare var PerformanceMeasure: DOMClass<PerformanceMeasure>;
declare var ReadableStreamDefaultController: DOMClass<ReadableStreamDefaultController>;
declare var TransformStreamDefaultController: DOMClass<TransformStreamDefaultController>;
declare var WritableStreamDefaultWriter: DOMClass<WritableStreamDefaultWriter>;
declare var ByteLengthQueuingStrategy: DOMClass<QueuingStrategy>, CountQueuingStrategy: DOMClass<QueuingStrategy>;

declare namespace WebAssembly {
  interface Module {}
  interface Instance { exports: any; }
  interface Memory { buffer: ArrayBuffer; grow(pages: number): number; }
  interface WebAssemblyInstantiatedSource { instance: Instance; module: Module; }
  var Module: DOMClass<Module>, Instance: DOMClass<Instance>, Memory: DOMClass<Memory>, CompileError: DOMClass<Error>, LinkError: DOMClass<Error>, RuntimeError: DOMClass<Error>;
  function compile(bytes: BufferSource): Promise<Module>;
  function compileStreaming(source: Response | PromiseLike<Response>): Promise<Module>;
  function instantiate(bytes: BufferSource, imports?: any): Promise<WebAssemblyInstantiatedSource>;
  function instantiateStreaming(source: Response | PromiseLike<Response>, imports?: any): Promise<WebAssemblyInstantiatedSource>;
  function validate(bytes: BufferSource): boolean;
}
