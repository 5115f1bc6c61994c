// Loads the data of a page, and carries out the actions of its buttons.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { asProblem, type ApiProblem } from "./api.ts";

export type Loading<T> =
  | { status: "loading" }
  | { status: "failed"; problem: ApiProblem }
  | { status: "loaded"; value: T };

export type Load<T> = { state: Loading<T>; reload: () => void };

/** Calls `load` initially, when `key` changes, and on `reload`, which keeps the old value until the new one has arrived. */
export function useLoad<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Load<T> {
  const [shown, setShown] = useState<{ key: string; state: Loading<T> }>({ key, state: { status: "loading" } });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const running = new AbortController();
    const show = (state: Loading<T>) => running.signal.aborted || setShown({ key, state });
    load(running.signal).then(
      (value) => show({ status: "loaded", value }),
      (error: unknown) => show({ status: "failed", problem: asProblem(error) }),
    );
    return () => running.abort();
  }, [key, round]);
  const reload = useCallback(() => setRound((count) => count + 1), []);
  return { state: shown.key === key ? shown.state : { status: "loading" }, reload };
}

/** Calls `action` every `periodMs` while `isActive`. */
export function useEvery(periodMs: number, isActive: boolean, action: () => void): void {
  useEffect(() => {
    if (!isActive) return;
    const timer = setInterval(() => document.hidden || action(), periodMs);
    return () => clearInterval(timer);
  }, [periodMs, isActive, action]);
}

export function useAction() {
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const isBusy = useRef(false);
  /** Resolves when the work has ended, whether it succeeded or not. Does nothing while other work is running. */
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    if (isBusy.current) return;
    isBusy.current = true;
    setRunning(true);
    setProblem(null);
    await work().catch((error: unknown) => setProblem(asProblem(error)));
    isBusy.current = false;
    setRunning(false);
  };
  return { run, isRunning, problem };
}
