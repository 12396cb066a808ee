import { render } from "preact";
import { takeToken } from "./api";
import { Shell } from "./shell";
import "./style.css";

takeToken();
// A fresh address with a token in an open page is a new start.
addEventListener("hashchange", () => {
  if (location.hash.startsWith("#token=")) {
    takeToken();
    location.reload();
  }
});
render(<Shell />, document.getElementById("page")!);
