import data from "./data.json" /* why */ with /* what */ { type: "json" };
export const make = () => class extends Base {
  run() {
    return data;
  }
};
const registry = {
  entry: class {
    open() {
      return 1;
    }
  },
};
const bound = function () {
  return this;
}.bind(registry);
debug && (() => {
  trace();
})();
debug &&
  report(() => {
    trace();
  });
it.each([1, 2])("adds %d", (n) => {
  expect(n).toBe(n);
});
fetch("/x")
  .then((response) => {
    return response.json();
  })
  .catch((error) => {
    report(error);
  });
const view = html`
  <a @click=${() => {
    go();
  }}></a>
  ${(item) => {
    return item;
  }}
`;
const Title = styled(Heading)<Props>`
  color: ${(props) => {
    return props.color;
  }};
`;
class Knob {
  @Input({ alias: "level" }) accessor value: number | undefined;
  static accessor shared = 1;
  declare = 2;
}
