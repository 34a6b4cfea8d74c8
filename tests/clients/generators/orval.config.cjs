// The service's address stands in the generated functions: Node's `fetch` takes no address without a host.
module.exports = {
  sarsen: {
    input: { target: process.env.DOCUMENT ?? "../../../openapi/openapi.json" },
    output: { target: "./orval/sarsen.ts", client: "fetch", mode: "single", baseUrl: { runtime: "process.env.SERVICE" } },
  },
};
