// Strings from callers that try to become part of a page, or to break its layout.

export const longWord = "W".repeat(10_000);

/** Markup that would run scripts, characters that reverse the text direction, and 10,000 characters. */
export const hostileText = [
  `<img src=x onerror="alert('image')"><script>alert("script")</script></p></div>`,
  `\u202Egnp.eciovni \u2067מספר\u2066 {{ 7 | times: 6 }} & &lt;b&gt; \u{1F4A5}\u{1F468}\u200D\u{1F469} `,
  "supercalifragilistic".repeat(20),
  " many words ".repeat(790),
]
  .join("")
  .slice(0, 10_000);
