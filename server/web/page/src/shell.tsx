// The frame of every panel: navigation, the state of the index, the theme.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ApiError, ask, type State } from "./api";
import { Palette } from "./palette";
import { PANELS } from "./panels";
import { link, useRoute } from "./route";

/** Milliseconds between two looks at the state of the index. */
const INTERVAL = 2000;

export function Shell() {
  const route = useRoute();
  const [state, problem] = useIndexState();
  const [hasPalette, showPalette] = useState(false);
  const side = useRef<HTMLElement>(null);
  const panel = PANELS.find((one) => one.name === route.panel);
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        showPalette((before) => !before);
      } else if (event.key === "/" && !(event.target as HTMLElement).closest("input, textarea, select, [contenteditable]")) {
        event.preventDefault();
        if (route.panel !== "ask") location.hash = link("ask");
        setTimeout(() => document.querySelector<HTMLInputElement>("input[name=q]")?.focus());
      }
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [route.panel]);
  useEffect(() => {
    document.title = `${panel?.title ?? "Console"} – ${state?.name ?? "Astrolabe"}`;
  }, [panel, state?.name]);
  // A link that was followed is about to go with its view, and the focus with it. The numbers of lines stay.
  const isFirst = useRef(true);
  useEffect(() => {
    const active = document.activeElement;
    if (!isFirst.current && (active === document.body || active?.matches("main a:not(.number)"))) document.getElementById("main")?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [route]);
  // In a narrow window the navigation is a bar that scrolls.
  useEffect(() => {
    const current = side.current?.querySelector<HTMLElement>("[aria-current]");
    if (current) side.current?.scrollTo({ left: current.offsetLeft - (side.current.clientWidth - current.offsetWidth) / 2 });
  }, [route.panel]);
  // A failure is shown by the view that needs the scripts.
  useLayoutEffect(() => void panel?.load(route.values).catch(() => undefined), [panel]);
  const [View, Head] = [panel?.view, panel?.head];
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); document.getElementById("main")?.focus(); }}>Skip to the content</a>
      <header class="top">
        <a class="brand" href={link("ask")}><img src="./astrolabe.svg" alt="" width={22} height={22} /> <b>{state?.name ?? "Astrolabe"}</b></a>
        <Freshness state={state} />
        <button class="quiet" onClick={() => showPalette(true)} aria-keyshortcuts="Control+K" aria-label="Commands"><span class="wide">Commands <kbd>Ctrl K</kbd></span><span class="narrow" aria-hidden="true">⋯</span></button>
        <Theme />
      </header>
      <nav ref={side} class="side" aria-label="Panels">
        {PANELS.filter((one) => one.listed).map((one) => (
          <a key={one.name} href={link(one.name)} aria-current={one.name === route.panel ? "page" : undefined}>
            <svg viewBox="0 0 24 24" aria-hidden="true"><path d={one.icon} /></svg>
            <span>{one.title}</span>
          </a>
        ))}
      </nav>
      <main id="main" tabIndex={-1}>
        <h1 class="hidden">{panel?.title ?? "No such panel"}</h1>
        {problem && <p class="problem" role="alert">{problem}</p>}
        {Head && <Head values={route.values} />}
        {View ? (state || problem ? <View values={route.values} generation={state?.generation ?? null} /> : <p class="waiting" role="status">One moment …</p>)
          : <p class="problem">There is no panel “{route.panel}”. <a href={link("ask")}>Go to the search.</a></p>}
      </main>
      {hasPalette && <Palette close={() => showPalette(false)} />}
    </>
  );
}

function useIndexState(): [State | undefined, string] {
  const [state, setState] = useState<State>();
  const [problem, setProblem] = useState("");
  useLayoutEffect(() => {
    let timer = 0;
    let isKnown = false;
    const look = async (): Promise<void> => {
      try {
        if (!isKnown || !document.hidden) setState(await ask<State>("state"));
        isKnown = true;
        setProblem("");
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        setProblem(error.message);
      }
      timer = setTimeout(look, INTERVAL);
    };
    void look();
    return () => clearTimeout(timer);
  }, []);
  return [state, problem];
}

function Freshness({ state }: { state: State | undefined }) {
  if (!state) return <span class="state" />;
  if (state.percent !== null && state.percent > 0) {
    return (
      <span class="state" role="status">
        <progress max={100} value={state.percent} aria-label="Progress of indexing" /> {state.stage}
      </span>
    );
  }
  return <span class="state">{state.generation === null ? "No index yet" : `Generation ${state.generation}`}</span>;
}

function Theme() {
  const [theme, setTheme] = useState(localStorage.getItem("astrolabe-theme") ?? "");
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem("astrolabe-theme", theme);
  }, [theme]);
  return (
    <label class="theme"><span class="hidden">Theme</span>
      <select value={theme} onChange={(event) => setTheme(event.currentTarget.value)}>
        <option value="">System</option><option value="light">Light</option><option value="dark">Dark</option>
      </select>
    </label>
  );
}
