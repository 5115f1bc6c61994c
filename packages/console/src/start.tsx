// The page at /console: asks for a key, and shows the console while the key is valid.
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { asProblem, type ApiProblem } from "./api.ts";
import { Frame } from "./frame.tsx";
import { Field, Problem } from "./parts/parts.tsx";
import { givenKey, openSession, storeKey, type Session } from "./session.ts";
import { forgetTestKey } from "./template/test-key.ts";

type State =
  | { status: "opening" }
  | { status: "open"; session: Session }
  | { status: "closed"; problem: ApiProblem | null };

function App() {
  const [state, setState] = useState<State>({ status: "opening" });
  const close = () => {
    storeKey(null);
    forgetTestKey();
    setState({ status: "closed", problem: null });
  };
  const open = (key: string) => {
    forgetTestKey();
    setState({ status: "opening" });
    openSession(key).then(
      (session) => {
        storeKey(key);
        setState({ status: "open", session });
      },
      (error: unknown) => {
        const problem = asProblem(error);
        if (problem.status === 401) storeKey(null);
        setState({ status: "closed", problem });
      },
    );
  };
  useEffect(() => {
    const openGiven = () => {
      const key = givenKey();
      if (key === null) close();
      else open(key);
    };
    const followKey = () => location.hash.startsWith("#key=") && openGiven();
    openGiven();
    addEventListener("hashchange", followKey);
    return () => removeEventListener("hashchange", followKey);
  }, []);
  if (state.status === "open")
    return <Frame session={state.session} close={close} reopen={() => open(state.session.key)} />;
  return (
    <>
      <header>
        <strong class="brand">Colophon</strong>
        <a class="end" href="/docs">
          API reference
        </a>
      </header>
      <main>
        {state.status === "opening" ? (
          <p class="quiet loading">Asking the service…</p>
        ) : (
          <SignIn problem={state.problem} open={open} />
        )}
      </main>
    </>
  );
}

function SignIn({ problem, open }: { problem: ApiProblem | null; open: (key: string) => void }) {
  return (
    <>
      <h1>Console</h1>
      <p>
        Paste a key of your account. It is kept in this tab until you close it, and is sent only to this service. An
        operator's key shows all accounts.
      </p>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          open(String(new FormData(event.currentTarget).get("key")).trim());
        }}
      >
        <Field label="Key">
          <input name="key" type="password" size={50} required autofocus autocomplete="off" maxLength={500} />
        </Field>
        <button class="primary">Open the console</button>
      </form>
      {problem?.status === 401 && (
        <p>The service does not accept this key: it is unknown, has expired or was revoked.</p>
      )}
      <Problem of={problem} />
    </>
  );
}

const root = document.getElementById("console");
if (root) render(<App />, root);
