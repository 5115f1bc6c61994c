// Ways in which a script reaches out, should one ever run in a page. `U` is a URL of the listener, `H` its host and port.
// The first part of a path names the vector.

export function scriptedVectors(port: number): Record<string, string> {
  const H = `127.0.0.1:${port}`;
  const U = `http://${H}`;
  const add = (tag: string, properties: object) =>
    `document.body.append(Object.assign(document.createElement("${tag}"), ${JSON.stringify(properties)}))`;
  const blob = (code: string, type: string) =>
    `URL.createObjectURL(new Blob([${JSON.stringify(code)}], {type: "${type}"}))`;
  return {
    fetch: `fetch("${U}/fetch", {mode: "no-cors"})`,
    "fetch, keepalive": `fetch("${U}/keepalive", {mode: "no-cors", keepalive: true, method: "POST", body: "x"})`,
    fetchLater: `fetchLater("${U}/fetchlater", {activateAfter: 0})`,
    XMLHttpRequest: `const x = new XMLHttpRequest(); x.open("GET", "${U}/xhr"); x.send()`,
    "XMLHttpRequest, synchronous": `const x = new XMLHttpRequest(); x.open("GET", "${U}/syncxhr", false); x.send()`,
    WebSocket: `new WebSocket("ws://${H}/websocket")`,
    WebTransport: `new WebTransport("https://${H}/webtransport")`,
    EventSource: `new EventSource("${U}/eventsource")`,
    sendBeacon: `navigator.sendBeacon("${U}/beacon", "x")`,
    "WebRTC by TURN over TCP": `const p = new RTCPeerConnection({iceServers: [{urls: "turn:${H}?transport=tcp", username: "u", credential: "c"}]});
      p.createDataChannel("x"); p.createOffer().then((offer) => p.setLocalDescription(offer))`,
    Worker: `new Worker("${U}/worker")`,
    "Worker from a blob": `new Worker(${blob(`fetch("${U}/blobworker", {mode: "no-cors"}); new WebSocket("ws://${H}/blobworkerws"); importScripts("${U}/importscripts")`, "text/javascript")})`,
    "Worker from data": `new Worker("data:text/javascript," + encodeURIComponent('fetch("${U}/dataworker", {mode: "no-cors"})'))`,
    SharedWorker: `new SharedWorker("${U}/sharedworker")`,
    "service worker": `navigator.serviceWorker.register("${U}/serviceworker")`,
    "audio worklet": `new AudioContext().audioWorklet.addModule("${U}/audioworklet")`,
    "paint worklet": `CSS.paintWorklet.addModule("${U}/paintworklet")`,
    "import()": `import("${U}/import")`,
    "a script element": add("script", { src: `${U}/scriptelement` }),
    "a module script": add("script", { type: "module", textContent: `import "${U}/modulescript"` }),
    "document.write": `document.write("<script src='${U}/write'><" + "/script>")`,
    eval: `eval("fetch('${U}/eval', {mode: 'no-cors'})")`,
    Image: `new Image().src = "${U}/image"`,
    Audio: `new Audio("${U}/audio").play()`,
    FontFace: `new FontFace("F", "url(${U}/fontface)").load()`,
    "a style sheet": add("link", { rel: "stylesheet", href: `${U}/stylesheet` }),
    "a constructed sheet": `document.body.style.background = "url(${U}/style)"; const s = new CSSStyleSheet(); s.replaceSync("p{background:url(${U}/sheet)}"); document.adoptedStyleSheets = [s]`,
    preload: add("link", { rel: "preload", as: "fetch", href: `${U}/preload` }),
    prefetch: add("link", { rel: "prefetch", href: `${U}/prefetch` }),
    prerender: add("link", { rel: "prerender", href: `${U}/prerender` }),
    preconnect: add("link", { rel: "preconnect", href: U }),
    "dns-prefetch": add("link", { rel: "dns-prefetch", href: U }),
    "speculation rules": add("script", {
      type: "speculationrules",
      textContent: JSON.stringify({
        prefetch: [{ source: "list", urls: [`${U}/speculated`], eagerness: "immediate" }],
        prerender: [{ source: "list", urls: [`${U}/prerendered`], eagerness: "immediate" }],
      }),
    }),
    "window.open": `window.open("${U}/open")`,
    "window.open, blank": `window.open("").location = "${U}/openblank"`,
    "location =": `location = "${U}/location"`,
    "location.replace": `location.replace("${U}/replace")`,
    navigation: `navigation.navigate("${U}/navigation")`,
    "a refresh": `const m = document.createElement("meta"); m.httpEquiv = "refresh"; m.content = "0;url=${U}/refresh"; document.head.append(m)`,
    "form.submit": `const f = document.createElement("form"); f.action = "${U}/form"; document.body.append(f); f.submit()`,
    "form.submit to another window": `const f = document.createElement("form"); f.action = "${U}/formblank"; f.target = "_blank"; document.body.append(f); f.submit()`,
    "a click": `const a = document.createElement("a"); a.href = "${U}/click"; a.ping = "${U}/ping"; document.body.append(a); a.click()`,
    "a download": `const a = document.createElement("a"); a.href = "${U}/download"; a.download = "x"; document.body.append(a); a.click()`,
    iframe: add("iframe", { src: `${U}/iframe` }),
    "iframe srcdoc": add("iframe", {
      srcdoc: `<script>fetch("${U}/srcdoc", {mode: "no-cors"})</script><img src="${U}/srcdocimg">`,
    }),
    "iframe from a blob": `const i = document.createElement("iframe"); i.src = ${blob(`<img src="${U}/blobframe">`, "text/html")}; document.body.append(i)`,
    "iframe, its own fetch": `const i = document.createElement("iframe"); document.body.append(i); i.contentWindow.fetch("${U}/framefetch", {mode: "no-cors"})`,
    object: add("object", { data: `${U}/object` }),
    embed: add("embed", { src: `${U}/embed` }),
    "the policy taken out": `for (const m of document.querySelectorAll("meta")) m.remove(); new Image().src = "${U}/withoutpolicy"`,
    "a new document": `document.open(); document.write("<img src='${U}/newdocument'>"); document.close()`,
    "an svg image": add("img", {
      src: `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"><image href="${U}/svgimage"/></svg>`,
    }),
  };
}
