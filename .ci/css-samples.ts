// CSS of which each piece uses functions or pseudo-classes, and the keywords of all properties. A browser that accepts a piece
// knows the names in it. Properties need no samples, because a browser lists them.

/** One declaration each. The functions of page references are not here, because `style.css` may use them in any version. */
export const functionSamples: string[] = [
  ...[
    "rgb(0 0 0)",
    "rgba(0, 0, 0, 1)",
    "hsl(0 0% 0%)",
    "hsla(0, 0%, 0%, 1)",
    "hwb(0 0% 0%)",
    "lab(0 0 0)",
    "lch(0 0 0)",
  ],
  ...["oklab(0 0 0)", "oklch(0 0 0)", "color(srgb 0 0 0)", "color-mix(in srgb, red, blue)", "light-dark(red, blue)"],
  ...["contrast-color(red)", "device-cmyk(0 0 0 0)", "alpha(from red / 50%)"],
]
  .map((value) => (value.includes(":") ? value : `color: ${value}`))
  .concat(
    [
      ...["linear", "radial", "conic"].flatMap((kind) => [
        `${kind}-gradient(red, blue)`,
        `repeating-${kind}-gradient(red, blue)`,
      ]),
      ...["linear", "radial"].flatMap((kind) => [
        `-webkit-${kind}-gradient(red, blue)`,
        `-webkit-repeating-${kind}-gradient(red, blue)`,
      ]),
      "-webkit-gradient(linear, 0 0, 0 100%, from(red), color-stop(0.5, red), to(blue))",
      'url("a")',
      'src("a")',
      'image-set("a" 1x)',
      'image-set("a" type("image/png"))',
      "-webkit-image-set(url(a) 1x)",
      "-webkit-cross-fade(url(a), url(b), 50%)",
      "cross-fade(url(a), url(b), 50%)",
      "cross-fade(url(a), url(b))",
      "image(red)",
      "paint(x)",
      "element(#a)",
    ].map((value) => `background-image: ${value}`),
    [
      ...[
        "calc(1px)",
        "-webkit-calc(1px)",
        "min(1px, 2px)",
        "max(1px, 2px)",
        "clamp(1px, 2px, 3px)",
        "round(1px, 1px)",
      ],
      ...[
        "mod(1px, 1px)",
        "rem(1px, 1px)",
        "abs(1px)",
        "calc(sign(1px) * 1px)",
        "hypot(1px, 1px)",
        "calc(1px * sin(1))",
      ],
      ...[
        "calc(1px * cos(1))",
        "calc(1px * tan(1))",
        "calc(1px * pow(1, 1))",
        "calc(1px * sqrt(1))",
        "calc(1px * log(2))",
      ],
      ...[
        "calc(1px * exp(1))",
        "calc-size(auto, size)",
        "calc(1px * progress(1, 0, 2))",
        "calc(1px * sibling-index())",
      ],
      ...["calc(1px * sibling-count())", "random(1px, 2px)", "if(media(print): 1px; else: 2px)", "if(style(--a): 1px)"],
      ...[
        "if(supports(color: red): 1px)",
        "attr(a type(<length>))",
        "env(a)",
        "var(--a)",
        "anchor-size(width)",
        "inherit(--a)",
      ],
      ...[
        "first-valid(1px)",
        "toggle(1px, 2px)",
        "media-progress(width, 0px, 1px)",
        "container-progress(width, 0px, 1px)",
      ],
      ...["fit-content(1px)", "random-item(a, 1px)", "calc-mix(50%, 1px, 2px)", "ident(a)"],
    ].map((value) => `width: ${value}`),
    ["asin(1)", "acos(1)", "atan(1)", "atan2(1, 1)"].map((value) => `rotate: ${value}`),
    [
      "blur(1px)",
      "brightness(1)",
      "contrast(1)",
      "drop-shadow(0 0 red)",
      "grayscale(1)",
      "hue-rotate(1deg)",
      "invert(1)",
    ].map((value) => `filter: ${value}`),
    ["opacity(1)", "saturate(1)", "sepia(1)"].map((value) => `filter: ${value}`),
    [
      ...["matrix(1, 0, 0, 1, 0, 0)", "matrix3d(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)", "perspective(1px)"],
      ...["rotate(1deg)", "rotate3d(1, 1, 1, 1deg)", "rotateX(1deg)", "rotateY(1deg)", "rotateZ(1deg)", "scale(1)"],
      ...["scale3d(1, 1, 1)", "scaleX(1)", "scaleY(1)", "scaleZ(1)", "skew(1deg)", "skewX(1deg)", "skewY(1deg)"],
      ...["translate(1px)", "translate3d(1px, 1px, 1px)", "translateX(1px)", "translateY(1px)", "translateZ(1px)"],
    ].map((value) => `transform: ${value}`),
    ["cubic-bezier(0, 0, 1, 1)", "steps(2)", "linear(0, 1)"].map((value) => `transition-timing-function: ${value}`),
    [
      ...["circle(1px)", "ellipse(1px 1px)", "inset(1px)", "polygon(0 0, 1px 1px, 0 1px)", 'path("M0 0")'],
      ...["rect(0 0 0 0)", "xywh(0 0 1px 1px)", "shape(from 0 0, line to 1px 1px)"],
    ].map((value) => `clip-path: ${value}`),
    [
      "offset-path: ray(1deg)",
      "clip: rect(0, 0, 0, 0)",
      "content: counter(a)",
      'content: counters(a, ".")',
      "content: attr(a)",
      'list-style-type: symbols("a")',
      "grid-template-columns: repeat(2, minmax(0, 1px)) fit-content(1px)",
      "left: anchor(left)",
      "font-variant-alternates: stylistic(a)",
      "font-variant-alternates: styleset(a)",
      "font-variant-alternates: character-variant(a)",
      "font-variant-alternates: swash(a)",
      "font-variant-alternates: ornaments(a)",
      "font-variant-alternates: annotation(a)",
      "font-palette: palette-mix(in srgb, normal, light)",
      "animation-timeline: scroll()",
      "animation-timeline: view()",
      "corner-shape: superellipse(2)",
      "dynamic-range-limit: dynamic-range-limit-mix(standard 50%, no-limit 50%)",
      "position-area: auto()",
    ],
  );

/** One selector each. */
export const selectorSamples: string[] = [
  ...[
    "active any-link autofill blank buffering checked closed current default defined disabled empty enabled first-child",
    "first-of-type focus focus-visible focus-within fullscreen future has-slotted heading host hover in-range indeterminate",
    "interest-source interest-target invalid last-child last-of-type link local-link modal muted only-child only-of-type open",
    "optional out-of-range past paused picture-in-picture placeholder-shown playing popover-open read-only read-write required",
    "root scope seeking stalled target target-after target-before target-current target-within unresolved user-invalid",
    "user-valid valid visited volume-locked xr-overlay active-view-transition -webkit-any-link -webkit-autofill -webkit-drag",
    "-webkit-full-screen -webkit-full-screen-ancestor -webkit-full-page-media -webkit-autofill-and-obscured",
    "after before first-letter first-line",
  ].flatMap((names) => names.split(" ").map((name) => `:${name}`)),
  ...[
    "dir(ltr)",
    "lang(en)",
    "is(a)",
    "where(a)",
    "not(a)",
    "has(a)",
    "host(a)",
    "host-context(a)",
    "state(a)",
    "heading(1)",
  ],
  ...["nth-child(1)", "nth-last-child(1)", "nth-of-type(1)", "nth-last-of-type(1)", "-webkit-any(a)", "nth-col(1)"],
  ...["active-view-transition-type(a)", "current(a)", "matches(a)", "active-navigation(a)"],
]
  .map((selector) => (selector.startsWith(":") ? selector : `:${selector}`))
  .concat(
    [
      ...[
        "horizontal",
        "vertical",
        "decrement",
        "increment",
        "start",
        "end",
        "double-button",
        "single-button",
        "no-button",
      ],
      ...["corner-present", "window-inactive"],
    ].map((name) => `::-webkit-scrollbar:${name}`),
    [
      ...[
        "after",
        "backdrop",
        "before",
        "checkmark",
        "column",
        "cue",
        "cue(a)",
        "details-content",
        "file-selector-button",
      ],
      ...[
        "first-letter",
        "first-line",
        "footnote-call",
        "footnote-marker",
        "grammar-error",
        "highlight(a)",
        "interest-hint",
      ],
      ...["marker", "part(a)", "picker(select)", "picker-icon", "placeholder", "scroll-button(*)", "scroll-marker"],
      ...[
        "scroll-marker-group",
        "search-text",
        "selection",
        "slotted(a)",
        "spelling-error",
        "target-text",
        "view-transition",
      ],
      ...[
        "view-transition-group(*)",
        "view-transition-group-children(*)",
        "view-transition-image-pair(*)",
        "view-transition-new(*)",
      ],
      ...["view-transition-old(*)", "overscroll-area-parent", "tooltip"],
    ].map((name) => `::${name}`),
  );

/** Words that a browser tries as the value of every property. */
export const keywords: string[] = `
-webkit-activelink -webkit-auto -webkit-baseline-middle -webkit-box -webkit-center -webkit-control
-webkit-fill-available -webkit-fit-content -webkit-flex -webkit-focus-ring-color -webkit-grab -webkit-grabbing
-webkit-inline-box -webkit-inline-flex -webkit-isolate -webkit-isolate-override -webkit-left -webkit-link
-webkit-match-parent -webkit-max-content -webkit-min-content -webkit-mini-control -webkit-optimize-contrast
-webkit-plaintext -webkit-right -webkit-small-control -webkit-xxx-large -webkit-zoom-in -webkit-zoom-out a3 a4 a5
above absolute accentcolor accentcolortext accumulate activeborder activecaption activetext add after after-edge
after-white-space alias aliceblue all all-petite-caps all-scroll all-small-caps allow-discrete alpha alphabetic
alternate alternate-reverse always anchor-center anchored anchors-visible antialiased antiquewhite anywhere
appworkspace aqua aquamarine auto auto-add auto-phrase avoid avoid-column avoid-page azure b4 b5 background backwards
balance base-select baseline before before-edge beige below bevel bidi-override bisque black blanchedalmond blink
block block-axis block-end block-start blue blueviolet bold bolder border border-area border-box both bottom
bounding-box break-all break-spaces break-word brown burlywood butt button buttonborder buttonface buttonhighlight
buttonshadow buttontext cadetblue canvas canvastext capitalize caption captiontext cell center central chain
chartreuse checkbox chocolate circle clear clip clone close-quote col-resize collapse color color-burn color-dodge
column column-reverse common-ligatures compact condensed contain content content-box contents context-fill
context-menu context-stroke contextual copy coral cornflowerblue cornsilk cover crimson crisp-edges crispedges
crosshair currentcolor cyan dark darkblue darkcyan darken darkgoldenrod darkgray darkgreen darkgrey darkkhaki
darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray
darkslategrey darkturquoise darkviolet dashed deeppink deepskyblue default dense destination-atop destination-in
destination-out destination-over diagonal-fractions difference digits dimgray dimgrey disc discretionary-ligatures
dodgerblue dot dotted double double-circle drag dynamic e-resize ease ease-in ease-in-out ease-out economy element
ellipsis embed emoji end entry entry-crossing evenodd ew-resize exact exclude exclusion exit exit-crossing expanded
extra-condensed extra-expanded field fieldtext fill fill-box filled firebrick first fit-content fixed flat flex
flex-end flex-start flip-block flip-inline flip-start flip-x flip-y floralwhite flow flow-root forestgreen forwards
from-font from-image fuchsia full-width gainsboro geometricprecision ghostwhite gold goldenrod grab grabbing
grammar-error gray graytext green greenyellow grey grid groove hanging hard-light help hidden hide highlight
highlighttext historical-forms historical-ligatures honeydew horizontal horizontal-tb hotpink hue icon ideographic
inactiveborder inactivecaption inactivecaptiontext indianred indigo infinite infobackground infotext inline
inline-axis inline-block inline-end inline-flex inline-grid inline-size inline-start inline-table inset inside
intersect isolate isolate-override italic ivory jis-b4 jis-b5 jis04 jis78 jis83 jis90 justify keep-all khaki landscape
large larger last lavender lavenderblush lawngreen layout ledger left legacy legal lemonchiffon letter light lightblue
lightcoral lightcyan lighten lighter lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon
lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime limegreen line-through linear
linearrgb linen lining-nums linktext list-item listbox literal-punctuation local logical loose lowercase lr lr-tb ltr
luminance luminosity magenta manipulation manual margin-box mark markers marktext maroon match-source math math-auto
mathematical max-content medium mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue
mediumspringgreen mediumturquoise mediumvioletred menu menulist menulist-button menutext message-box meter middle
midnightblue min-content mintcream mistyrose miter mixed moccasin most-block-size most-height most-inline-size
most-width move multiply n-resize navajowhite navy ne-resize nesw-resize no-change no-clip no-close-quote
no-common-ligatures no-contextual no-discretionary-ligatures no-drag no-drop no-historical-ligatures no-open-quote
no-overflow no-punctuation no-repeat non-scaling-stroke none nonzero normal not-allowed nowrap ns-resize nw-resize
nwse-resize oblique oldlace oldstyle-nums olive olivedrab open open-quote optimizelegibility optimizequality
optimizespeed orange orangered orchid ordinal outset outside over overlay overline padding padding-box page paint
painted palegoldenrod palegreen paleturquoise palevioletred pan-down pan-left pan-right pan-up pan-x pan-y papayawhip
paused peachpuff peru petite-caps pinch-zoom pink pixelated plaintext plum plus-lighter pointer portrait powderblue
pre pre-line pre-wrap preserve preserve-3d preserve-breaks preserve-parent-color pretty progress progress-bar
proportional-nums proportional-width purple radio read-only read-write read-write-plaintext-only rebeccapurple recto
red relative repeat repeat-x repeat-y replace reset-size reverse ridge right rl rl-tb rosybrown rotate-left
rotate-right round row row-resize row-reverse royalblue rtl ruby ruby-text running s-resize saddlebrown salmon
sandybrown saturation scale-down screen scroll scroll-state scrollbar se-resize seagreen searchfield seashell
selecteditem selecteditemtext self-block-end self-block-start self-end self-inline-end self-inline-start self-start
self-x-end self-x-start self-y-end self-y-start semi-condensed semi-expanded separate sesame show sideways sideways-lr
sideways-right sideways-rl sienna silver simplified size skyblue slashed-zero slateblue slategray slategrey slice
slider-vertical small small-caps small-caption smaller smooth snow soft-light solid source-atop source-in source-out
source-over space space-all space-around space-between space-evenly space-first span-all span-block-end
span-block-start span-bottom span-end span-inline-end span-inline-start span-left span-right span-self-block-end
span-self-block-start span-self-end span-self-inline-end span-self-inline-start span-self-start span-self-x-end
span-self-x-start span-self-y-end span-self-y-start span-start span-top span-x-end span-x-self-end span-x-self-start
span-x-start span-y-end span-y-self-end span-y-self-start span-y-start spell-out spelling-error springgreen square
srgb stable stacked-fractions start static status-bar steelblue step-end step-start sticky stretch strict stroke
stroke-box style sub subgrid subpixel-antialiased subtract super sw-resize table table-caption table-cell table-column
table-column-group table-footer-group table-header-group table-row table-row-group tabular-nums tan tb tb-rl teal text
text-after-edge text-before-edge text-bottom text-top textarea textfield thick thin thistle threeddarkshadow
threedface threedhighlight threedlightshadow threedshadow titling-caps tomato top traditional transparent triangle
trim-start turquoise ultra-condensed ultra-expanded under underline unicase unicode uppercase upright use-script verso
vertical vertical-lr vertical-right vertical-rl vertical-text view-box violet visible visiblefill visiblepainted
visiblestroke visitedtext visual w-resize wait wavy weight wheat white whitesmoke window windowframe windowtext wrap
wrap-reverse x x-end x-large x-self-end x-self-start x-small x-start xor xx-large xx-small xxx-large y y-end
y-self-end y-self-start y-start yellow yellowgreen zoom-in zoom-out
`
  .trim()
  .split(/\s+/);
