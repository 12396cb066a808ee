import { render } from "preact";
import { hasSecret, takeToken } from "./api";
import { Shell } from "./shell";
import "./style.css";

// A fresh address with a secret in an open page is a new start.
addEventListener("hashchange", () => {
  if (hasSecret()) void takeToken().then(() => location.reload());
});
void takeToken().then(() => render(<Shell />, document.getElementById("page")!));
