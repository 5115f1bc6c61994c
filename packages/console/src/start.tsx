// Starts the console on the page at /console.
import { render } from "preact";
import { App } from "./app.tsx";

const root = document.getElementById("console");
if (root) render(<App />, root);
