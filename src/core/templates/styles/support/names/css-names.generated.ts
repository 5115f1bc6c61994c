// Generated from browsers by `npm run css:build`. Do not edit it.
// The versions of Chromium that were asked: 126, 127, 131, 153.

/**
 * Names that the same versions know. `after` is the newest version that did not know them yet, and `before` the oldest
 * version that no longer knows them; null if all versions in that direction know them.
 */
export type NameRange = { after: number | null; before: number | null; names: string };

export const cssNames = {
  properties: [
    {
      after: null,
      before: null,
      names:
        "-webkit-align-content -webkit-align-items -webkit-align-self -webkit-animation -webkit-animation-delay -webkit-animation-direction -webkit-animation-duration -webkit-animation-fill-mode -webkit-animation-iteration-count -webkit-animation-name -webkit-animation-play-state -webkit-animation-timing-function -webkit-app-region -webkit-appearance -webkit-backface-visibility -webkit-background-clip -webkit-background-origin -webkit-background-size -webkit-border-after -webkit-border-after-color -webkit-border-after-style -webkit-border-after-width -webkit-border-before -webkit-border-before-color -webkit-border-before-style -webkit-border-before-width -webkit-border-bottom-left-radius -webkit-border-bottom-right-radius -webkit-border-end -webkit-border-end-color -webkit-border-end-style -webkit-border-end-width -webkit-border-horizontal-spacing -webkit-border-image -webkit-border-radius -webkit-border-start -webkit-border-start-color -webkit-border-start-style -webkit-border-start-width -webkit-border-top-left-radius -webkit-border-top-right-radius -webkit-border-vertical-spacing -webkit-box-align -webkit-box-decoration-break -webkit-box-direction -webkit-box-flex -webkit-box-ordinal-group -webkit-box-orient -webkit-box-pack -webkit-box-reflect -webkit-box-shadow -webkit-box-sizing -webkit-clip-path -webkit-column-break-after -webkit-column-break-before -webkit-column-break-inside -webkit-column-count -webkit-column-gap -webkit-column-rule -webkit-column-rule-color -webkit-column-rule-style -webkit-column-rule-width -webkit-column-span -webkit-column-width -webkit-columns -webkit-filter -webkit-flex -webkit-flex-basis -webkit-flex-direction -webkit-flex-flow -webkit-flex-grow -webkit-flex-shrink -webkit-flex-wrap -webkit-font-feature-settings -webkit-font-smoothing -webkit-hyphenate-character -webkit-justify-content -webkit-line-break -webkit-line-clamp -webkit-locale -webkit-logical-height -webkit-logical-width -webkit-margin-after -webkit-margin-before -webkit-margin-end -webkit-margin-start -webkit-mask -webkit-mask-box-image -webkit-mask-box-image-outset -webkit-mask-box-image-repeat -webkit-mask-box-image-slice -webkit-mask-box-image-source -webkit-mask-box-image-width -webkit-mask-clip -webkit-mask-composite -webkit-mask-image -webkit-mask-origin -webkit-mask-position -webkit-mask-position-x -webkit-mask-position-y -webkit-mask-repeat -webkit-mask-size -webkit-max-logical-height -webkit-max-logical-width -webkit-min-logical-height -webkit-min-logical-width -webkit-opacity -webkit-order -webkit-padding-after -webkit-padding-before -webkit-padding-end -webkit-padding-start -webkit-perspective -webkit-perspective-origin -webkit-perspective-origin-x -webkit-perspective-origin-y -webkit-print-color-adjust -webkit-rtl-ordering -webkit-ruby-position -webkit-shape-image-threshold -webkit-shape-margin -webkit-shape-outside -webkit-tap-highlight-color -webkit-text-combine -webkit-text-decorations-in-effect -webkit-text-emphasis -webkit-text-emphasis-color -webkit-text-emphasis-position -webkit-text-emphasis-style -webkit-text-fill-color -webkit-text-orientation -webkit-text-security -webkit-text-size-adjust -webkit-text-stroke -webkit-text-stroke-color -webkit-text-stroke-width -webkit-transform -webkit-transform-origin -webkit-transform-origin-x -webkit-transform-origin-y -webkit-transform-origin-z -webkit-transform-style -webkit-transition -webkit-transition-delay -webkit-transition-duration -webkit-transition-property -webkit-transition-timing-function -webkit-user-drag -webkit-user-modify -webkit-user-select -webkit-writing-mode accent-color align-content align-items align-self alignment-baseline all anchor-name animation animation-composition animation-delay animation-direction animation-duration animation-fill-mode animation-iteration-count animation-name animation-play-state animation-range animation-range-end animation-range-start animation-timeline animation-timing-function app-region appearance aspect-ratio backdrop-filter backface-visibility background background-attachment background-blend-mode background-clip background-color background-image background-origin background-position background-position-x background-position-y background-repeat background-size baseline-shift baseline-source block-size border border-block border-block-color border-block-end border-block-end-color border-block-end-style border-block-end-width border-block-start border-block-start-color border-block-start-style border-block-start-width border-block-style border-block-width border-bottom border-bottom-color border-bottom-left-radius border-bottom-right-radius border-bottom-style border-bottom-width border-collapse border-color border-end-end-radius border-end-start-radius border-image border-image-outset border-image-repeat border-image-slice border-image-source border-image-width border-inline border-inline-color border-inline-end border-inline-end-color border-inline-end-style border-inline-end-width border-inline-start border-inline-start-color border-inline-start-style border-inline-start-width border-inline-style border-inline-width border-left border-left-color border-left-style border-left-width border-radius border-right border-right-color border-right-style border-right-width border-spacing border-start-end-radius border-start-start-radius border-style border-top border-top-color border-top-left-radius border-top-right-radius border-top-style border-top-width border-width bottom box-shadow box-sizing break-after break-before break-inside buffered-rendering caption-side caret-color clear clip clip-path clip-rule color color-interpolation color-interpolation-filters color-rendering color-scheme column-count column-fill column-gap column-rule column-rule-color column-rule-style column-rule-width column-span column-width columns contain contain-intrinsic-block-size contain-intrinsic-height contain-intrinsic-inline-size contain-intrinsic-size contain-intrinsic-width container container-name container-type content content-visibility counter-increment counter-reset counter-set cursor cx cy d direction display dominant-baseline empty-cells field-sizing fill fill-opacity fill-rule filter flex flex-basis flex-direction flex-flow flex-grow flex-shrink flex-wrap float flood-color flood-opacity font font-family font-feature-settings font-kerning font-optical-sizing font-palette font-size font-stretch font-style font-synthesis font-synthesis-small-caps font-synthesis-style font-synthesis-weight font-variant font-variant-alternates font-variant-caps font-variant-east-asian font-variant-ligatures font-variant-numeric font-variant-position font-variation-settings font-weight forced-color-adjust gap grid grid-area grid-auto-columns grid-auto-flow grid-auto-rows grid-column grid-column-end grid-column-gap grid-column-start grid-gap grid-row grid-row-end grid-row-gap grid-row-start grid-template grid-template-areas grid-template-columns grid-template-rows height hyphenate-character hyphenate-limit-chars hyphens image-orientation image-rendering initial-letter inline-size inset inset-block inset-block-end inset-block-start inset-inline inset-inline-end inset-inline-start isolation justify-content justify-items justify-self left letter-spacing lighting-color line-break line-height list-style list-style-image list-style-position list-style-type margin margin-block margin-block-end margin-block-start margin-bottom margin-inline margin-inline-end margin-inline-start margin-left margin-right margin-top marker marker-end marker-mid marker-start mask mask-clip mask-composite mask-image mask-mode mask-origin mask-position mask-repeat mask-size mask-type math-depth math-shift math-style max-block-size max-height max-inline-size max-width min-block-size min-height min-inline-size min-width mix-blend-mode object-fit object-position object-view-box offset offset-anchor offset-distance offset-path offset-position offset-rotate opacity order orphans outline outline-color outline-offset outline-style outline-width overflow overflow-anchor overflow-clip-margin overflow-wrap overflow-x overflow-y overlay overscroll-behavior overscroll-behavior-block overscroll-behavior-inline overscroll-behavior-x overscroll-behavior-y padding padding-block padding-block-end padding-block-start padding-bottom padding-inline padding-inline-end padding-inline-start padding-left padding-right padding-top page page-break-after page-break-before page-break-inside page-orientation paint-order perspective perspective-origin place-content place-items place-self pointer-events position position-anchor position-try position-try-order position-visibility quotes r resize right rotate row-gap ruby-position rx ry scale scroll-behavior scroll-margin scroll-margin-block scroll-margin-block-end scroll-margin-block-start scroll-margin-bottom scroll-margin-inline scroll-margin-inline-end scroll-margin-inline-start scroll-margin-left scroll-margin-right scroll-margin-top scroll-padding scroll-padding-block scroll-padding-block-end scroll-padding-block-start scroll-padding-bottom scroll-padding-inline scroll-padding-inline-end scroll-padding-inline-start scroll-padding-left scroll-padding-right scroll-padding-top scroll-snap-align scroll-snap-stop scroll-snap-type scroll-timeline scroll-timeline-axis scroll-timeline-name scrollbar-color scrollbar-gutter scrollbar-width shape-image-threshold shape-margin shape-outside shape-rendering size speak stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width tab-size table-layout text-align text-align-last text-anchor text-combine-upright text-decoration text-decoration-color text-decoration-line text-decoration-skip-ink text-decoration-style text-decoration-thickness text-emphasis text-emphasis-color text-emphasis-position text-emphasis-style text-indent text-orientation text-overflow text-rendering text-shadow text-size-adjust text-spacing-trim text-transform text-underline-offset text-underline-position text-wrap timeline-scope top touch-action transform transform-box transform-origin transform-style transition transition-behavior transition-delay transition-duration transition-property transition-timing-function translate unicode-bidi user-select vector-effect vertical-align view-timeline view-timeline-axis view-timeline-inset view-timeline-name view-transition-class view-transition-name visibility white-space white-space-collapse widows width will-change word-break word-spacing word-wrap writing-mode x y z-index zoom",
    },
    {
      after: 127,
      before: null,
      names:
        "anchor-scope box-decoration-break font-variant-emoji interpolate-size position-area position-try-fallbacks ruby-align text-wrap-mode text-wrap-style",
    },
    {
      after: 131,
      before: null,
      names:
        "animation-trigger border-shape caret-animation caret-shape column-height column-rule-break column-rule-inset column-rule-inset-cap column-rule-inset-cap-end column-rule-inset-cap-start column-rule-inset-end column-rule-inset-junction column-rule-inset-junction-end column-rule-inset-junction-start column-rule-inset-start column-rule-visibility-items column-wrap corner-block-end-shape corner-block-start-shape corner-bottom-left-shape corner-bottom-right-shape corner-bottom-shape corner-end-end-shape corner-end-start-shape corner-inline-end-shape corner-inline-start-shape corner-left-shape corner-right-shape corner-shape corner-start-end-shape corner-start-start-shape corner-top-left-shape corner-top-right-shape corner-top-shape dynamic-range-limit flex-line-count font-language-override interactivity interest-delay interest-delay-end interest-delay-start overflow-block overflow-inline page-margin-safety print-color-adjust reading-flow reading-order row-rule row-rule-break row-rule-color row-rule-inset row-rule-inset-cap row-rule-inset-cap-end row-rule-inset-cap-start row-rule-inset-end row-rule-inset-junction row-rule-inset-junction-end row-rule-inset-junction-start row-rule-inset-start row-rule-style row-rule-visibility-items row-rule-width ruby-overhang rule rule-break rule-color rule-inset rule-inset-cap rule-inset-end rule-inset-junction rule-inset-start rule-overlap rule-style rule-visibility-items rule-width scroll-axis-lock scroll-initial-target scroll-marker-group scroll-target-group text-autospace text-box text-box-edge text-box-trim text-fit text-justify timeline-trigger timeline-trigger-activation-range timeline-trigger-activation-range-end timeline-trigger-activation-range-start timeline-trigger-active-range timeline-trigger-active-range-end timeline-trigger-active-range-start timeline-trigger-name timeline-trigger-source trigger-scope view-transition-group view-transition-scope window-drag",
    },
    {
      after: 126,
      before: null,
      names:
        "font-size-adjust",
    },
    {
      after: null,
      before: 131,
      names:
        "inset-area position-try-options",
    },
  ],
  functions: [
    {
      after: null,
      before: null,
      names:
        "-webkit-calc -webkit-cross-fade -webkit-gradient -webkit-image-set -webkit-linear-gradient -webkit-radial-gradient -webkit-repeating-linear-gradient -webkit-repeating-radial-gradient acos anchor anchor-size annotation asin atan atan2 attr blur brightness calc character-variant circle clamp color color-mix color-stop conic-gradient contrast cos counter counters cubic-bezier drop-shadow ellipse env exp fit-content from grayscale hsl hsla hue-rotate hwb hypot image-set inset invert lab lch light-dark linear linear-gradient log matrix matrix3d max min minmax mod oklab oklch opacity ornaments palette-mix path perspective polygon pow radial-gradient ray rect rem repeat repeating-conic-gradient repeating-linear-gradient repeating-radial-gradient rgb rgba rotate rotate3d rotatex rotatey rotatez round saturate scale scale3d scalex scaley scalez scroll sepia sin skew skewx skewy sqrt steps styleset stylistic swash tan to translate translate3d translatex translatey translatez type url var view xywh",
    },
    {
      after: 131,
      before: null,
      names:
        "abs alpha contrast-color dynamic-range-limit-mix if image media progress shape sibling-count sibling-index sign style superellipse supports",
    },
    {
      after: 127,
      before: null,
      names:
        "calc-size",
    },
  ],
  pseudoClasses: [
    {
      after: null,
      before: null,
      names:
        "-webkit-any -webkit-any-link -webkit-autofill -webkit-drag -webkit-full-page-media -webkit-full-screen -webkit-full-screen-ancestor active active-view-transition active-view-transition-type after any-link autofill before checked corner-present decrement default defined dir disabled double-button empty enabled end first-child first-letter first-line first-of-type focus focus-visible focus-within fullscreen future has horizontal host host-context hover in-range increment indeterminate invalid is lang last-child last-of-type link modal no-button not nth-child nth-last-child nth-last-of-type nth-of-type only-child only-of-type optional out-of-range past picture-in-picture placeholder-shown popover-open read-only read-write required root scope single-button start state target user-invalid user-valid valid vertical visited where window-inactive xr-overlay",
    },
    {
      after: 131,
      before: null,
      names:
        "current interest-source interest-target open target-after target-before target-current",
    },
  ],
  pseudoElements: [
    {
      after: null,
      before: null,
      names:
        "-webkit-scrollbar after backdrop before cue file-selector-button first-letter first-line grammar-error highlight marker part placeholder selection slotted spelling-error target-text view-transition view-transition-group view-transition-image-pair view-transition-new view-transition-old",
    },
    {
      after: 131,
      before: null,
      names:
        "checkmark column picker picker-icon scroll-button scroll-marker scroll-marker-group search-text view-transition-group-children",
    },
    {
      after: 127,
      before: null,
      names:
        "details-content",
    },
  ],
} satisfies Record<string, NameRange[]>;

/**
 * The keywords of properties that every asked version knows and that do not accept every word. After a keyword, `>131`
 * means that 131 and older versions do not know it, and `<131` that 131 and newer ones do not. `<color>` stands for `colors`.
 */
export const cssKeywords: { properties: string; words: string }[] = [
  {
    properties: "accent-color caret-color",
    words: "<color> auto",
  },
  {
    properties: "align-content place-content",
    words: "baseline center end flex-end flex-start normal space-around space-between space-evenly start stretch",
  },
  {
    properties: "align-items place-items",
    words: "anchor-center<153 baseline center end flex-end flex-start normal self-end self-start start stretch",
  },
  {
    properties: "align-self place-self",
    words: "anchor-center auto baseline center end flex-end flex-start normal self-end self-start start stretch",
  },
  {
    properties: "alignment-baseline",
    words: "after-edge alphabetic auto baseline before-edge central hanging ideographic mathematical middle text-after-edge text-before-edge",
  },
  {
    properties: "all animation-delay border-bottom-left-radius border-bottom-right-radius border-end-end-radius border-end-start-radius border-image-outset border-image-slice border-radius border-spacing border-start-end-radius border-start-start-radius border-top-left-radius border-top-right-radius cx cy fill-opacity flex-grow flex-shrink flood-opacity offset-distance opacity order orphans outline-offset padding padding-block padding-block-end padding-block-start padding-bottom padding-inline padding-inline-end padding-inline-start padding-left padding-right padding-top r scroll-margin scroll-margin-block scroll-margin-block-end scroll-margin-block-start scroll-margin-bottom scroll-margin-inline scroll-margin-inline-end scroll-margin-inline-start scroll-margin-left scroll-margin-right scroll-margin-top shape-image-threshold shape-margin stop-opacity stroke-dashoffset stroke-miterlimit stroke-opacity stroke-width tab-size text-indent transition-delay transition-duration widows x y",
    words: "",
  },
  {
    properties: "anchor-name backdrop-filter background-image border-image-source box-shadow contain-intrinsic-block-size contain-intrinsic-height contain-intrinsic-inline-size contain-intrinsic-size contain-intrinsic-width d filter grid grid-template grid-template-areas list-style-image marker marker-end marker-mid marker-start mask-image object-view-box perspective rotate scale scroll-timeline scroll-timeline-name stroke-dasharray text-shadow transform translate view-timeline view-timeline-name",
    words: "none",
  },
  {
    properties: "animation-composition",
    words: "accumulate add replace",
  },
  {
    properties: "animation-direction",
    words: "alternate alternate-reverse normal reverse",
  },
  {
    properties: "animation-duration aspect-ratio border-image-width bottom clip column-count column-width columns hyphenate-character hyphenate-limit-chars inset inset-block inset-block-end inset-block-start inset-inline inset-inline-end inset-inline-start left margin margin-block margin-block-end margin-block-start margin-bottom margin-inline margin-inline-end margin-inline-start margin-left margin-right margin-top right rx ry scroll-padding scroll-padding-block scroll-padding-block-end scroll-padding-block-start scroll-padding-bottom scroll-padding-inline scroll-padding-inline-end scroll-padding-inline-start scroll-padding-left scroll-padding-right scroll-padding-top scrollbar-color text-underline-offset top view-timeline-inset z-index",
    words: "auto",
  },
  {
    properties: "animation-fill-mode",
    words: "backwards both forwards none",
  },
  {
    properties: "animation-iteration-count",
    words: "infinite",
  },
  {
    properties: "animation-play-state",
    words: "paused running",
  },
  {
    properties: "animation-range animation-range-end animation-range-start",
    words: "contain cover entry entry-crossing exit exit-crossing normal scroll>131",
  },
  {
    properties: "animation-timeline font-optical-sizing font-synthesis-small-caps font-synthesis-style font-synthesis-weight overlay quotes text-size-adjust",
    words: "auto none",
  },
  {
    properties: "animation-timing-function transition-timing-function",
    words: "ease ease-in ease-in-out ease-out linear step-end step-start",
  },
  {
    properties: "app-region",
    words: "drag no-drag none",
  },
  {
    properties: "appearance",
    words: "auto base-select>131 button checkbox listbox menulist menulist-button meter none progress-bar radio searchfield slider-vertical textarea textfield",
  },
  {
    properties: "backface-visibility",
    words: "hidden visible",
  },
  {
    properties: "background",
    words: "<color> border-area>131 border-box bottom center content-box fixed left local no-repeat none padding-box repeat repeat-x repeat-y right round scroll space text top",
  },
  {
    properties: "background-attachment",
    words: "fixed local scroll",
  },
  {
    properties: "background-blend-mode",
    words: "color color-burn color-dodge darken difference exclusion hard-light hue lighten luminosity multiply normal overlay saturation screen soft-light",
  },
  {
    properties: "background-clip",
    words: "border-area>131 border-box content-box padding-box text",
  },
  {
    properties: "background-color border-block-color border-block-end-color border-block-start-color border-bottom-color border-color border-inline-color border-inline-end-color border-inline-start-color border-left-color border-right-color border-top-color color column-rule-color flood-color lighting-color stop-color text-decoration-color text-emphasis-color",
    words: "<color>",
  },
  {
    properties: "background-origin overflow-clip-margin",
    words: "border-box content-box padding-box",
  },
  {
    properties: "background-position mask-position object-position perspective-origin transform-origin",
    words: "bottom center left right top",
  },
  {
    properties: "background-position-x",
    words: "center left right",
  },
  {
    properties: "background-position-y",
    words: "bottom center top",
  },
  {
    properties: "background-repeat mask-repeat",
    words: "no-repeat repeat repeat-x repeat-y round space",
  },
  {
    properties: "background-size mask-size",
    words: "auto contain cover",
  },
  {
    properties: "baseline-shift",
    words: "baseline sub super",
  },
  {
    properties: "baseline-source",
    words: "auto first last",
  },
  {
    properties: "block-size height inline-size min-block-size min-height min-inline-size min-width width",
    words: "-webkit-fill-available -webkit-fit-content -webkit-max-content -webkit-min-content auto fit-content max-content min-content stretch>131",
  },
  {
    properties: "border border-block border-block-end border-block-start border-bottom border-inline border-inline-end border-inline-start border-left border-right border-top column-rule",
    words: "<color> dashed dotted double groove hidden inset medium none outset ridge solid thick thin",
  },
  {
    properties: "border-block-end-style border-block-start-style border-block-style border-bottom-style border-inline-end-style border-inline-start-style border-inline-style border-left-style border-right-style border-style border-top-style column-rule-style",
    words: "dashed dotted double groove hidden inset none outset ridge solid",
  },
  {
    properties: "border-block-end-width border-block-start-width border-block-width border-bottom-width border-inline-end-width border-inline-start-width border-inline-width border-left-width border-right-width border-top-width border-width column-rule-width outline-width",
    words: "medium thick thin",
  },
  {
    properties: "border-collapse",
    words: "collapse separate",
  },
  {
    properties: "border-image",
    words: "none repeat round space stretch",
  },
  {
    properties: "border-image-repeat",
    words: "repeat round space stretch",
  },
  {
    properties: "box-sizing",
    words: "border-box content-box",
  },
  {
    properties: "break-after break-before",
    words: "auto avoid avoid-column avoid-page column left page recto right verso",
  },
  {
    properties: "break-inside",
    words: "auto avoid avoid-column avoid-page",
  },
  {
    properties: "buffered-rendering",
    words: "auto dynamic static",
  },
  {
    properties: "caption-side",
    words: "bottom top",
  },
  {
    properties: "clear",
    words: "both inline-end inline-start left none right",
  },
  {
    properties: "clip-path",
    words: "border-box content-box fill-box margin-box none padding-box stroke-box view-box",
  },
  {
    properties: "clip-rule fill-rule",
    words: "evenodd nonzero",
  },
  {
    properties: "color-interpolation color-interpolation-filters",
    words: "auto linearrgb srgb",
  },
  {
    properties: "color-rendering",
    words: "auto optimizequality optimizespeed",
  },
  {
    properties: "column-fill",
    words: "auto balance",
  },
  {
    properties: "column-gap font-feature-settings font-variation-settings gap grid-column-gap grid-gap grid-row-gap initial-letter letter-spacing line-height row-gap word-spacing zoom",
    words: "normal",
  },
  {
    properties: "column-span text-combine-upright",
    words: "all none",
  },
  {
    properties: "contain",
    words: "content inline-size layout none paint size strict style",
  },
  {
    properties: "container-type",
    words: "anchored>131 inline-size normal scroll-state>131 size",
  },
  {
    properties: "content",
    words: "close-quote no-close-quote no-open-quote none normal open-quote",
  },
  {
    properties: "content-visibility",
    words: "auto hidden visible",
  },
  {
    properties: "cursor",
    words: "-webkit-grab -webkit-grabbing -webkit-zoom-in -webkit-zoom-out alias all-scroll auto cell col-resize context-menu copy crosshair default e-resize ew-resize grab grabbing help move n-resize ne-resize nesw-resize no-drop none not-allowed ns-resize nw-resize nwse-resize pointer progress row-resize s-resize se-resize sw-resize text vertical-text w-resize wait zoom-in zoom-out",
  },
  {
    properties: "direction",
    words: "ltr rtl",
  },
  {
    properties: "display",
    words: "-webkit-box -webkit-flex -webkit-inline-box -webkit-inline-flex block contents flex flow flow-root grid inline inline-block inline-flex inline-grid inline-table list-item math none ruby ruby-text table table-caption table-cell table-column table-column-group table-footer-group table-header-group table-row table-row-group",
  },
  {
    properties: "dominant-baseline",
    words: "alphabetic auto central hanging ideographic mathematical middle no-change reset-size text-after-edge text-before-edge use-script",
  },
  {
    properties: "empty-cells",
    words: "hide show",
  },
  {
    properties: "field-sizing",
    words: "content fixed",
  },
  {
    properties: "fill stroke",
    words: "<color> context-fill context-stroke none",
  },
  {
    properties: "flex",
    words: "auto content fit-content max-content min-content none stretch>131",
  },
  {
    properties: "flex-basis",
    words: "auto content fit-content max-content min-content stretch>131",
  },
  {
    properties: "flex-direction",
    words: "column column-reverse row row-reverse",
  },
  {
    properties: "flex-flow",
    words: "balance>131 column column-reverse nowrap row row-reverse wrap wrap-reverse",
  },
  {
    properties: "flex-wrap",
    words: "balance>131 nowrap wrap wrap-reverse",
  },
  {
    properties: "float",
    words: "inline-end inline-start left none right",
  },
  {
    properties: "font",
    words: "-webkit-control -webkit-mini-control -webkit-small-control caption icon menu message-box small-caption status-bar",
  },
  {
    properties: "font-kerning",
    words: "auto none normal",
  },
  {
    properties: "font-palette",
    words: "dark light normal",
  },
  {
    properties: "font-size",
    words: "-webkit-xxx-large large larger math medium small smaller x-large x-small xx-large xx-small xxx-large",
  },
  {
    properties: "font-stretch",
    words: "condensed expanded extra-condensed extra-expanded normal semi-condensed semi-expanded ultra-condensed ultra-expanded",
  },
  {
    properties: "font-style",
    words: "italic normal oblique",
  },
  {
    properties: "font-synthesis",
    words: "none small-caps style weight",
  },
  {
    properties: "font-variant",
    words: "all-petite-caps all-small-caps common-ligatures contextual diagonal-fractions discretionary-ligatures emoji>127 full-width historical-forms historical-ligatures jis04 jis78 jis83 jis90 lining-nums no-common-ligatures no-contextual no-discretionary-ligatures no-historical-ligatures none normal oldstyle-nums ordinal petite-caps proportional-nums proportional-width ruby simplified slashed-zero small-caps stacked-fractions sub super tabular-nums text>127 titling-caps traditional unicase unicode>127",
  },
  {
    properties: "font-variant-alternates",
    words: "historical-forms normal",
  },
  {
    properties: "font-variant-caps",
    words: "all-petite-caps all-small-caps normal petite-caps small-caps titling-caps unicase",
  },
  {
    properties: "font-variant-east-asian",
    words: "full-width jis04 jis78 jis83 jis90 normal proportional-width ruby simplified traditional",
  },
  {
    properties: "font-variant-ligatures",
    words: "common-ligatures contextual discretionary-ligatures historical-ligatures no-common-ligatures no-contextual no-discretionary-ligatures no-historical-ligatures none normal",
  },
  {
    properties: "font-variant-numeric",
    words: "diagonal-fractions lining-nums normal oldstyle-nums ordinal proportional-nums slashed-zero stacked-fractions tabular-nums",
  },
  {
    properties: "font-variant-position",
    words: "normal sub super",
  },
  {
    properties: "font-weight",
    words: "bold bolder lighter normal",
  },
  {
    properties: "forced-color-adjust",
    words: "auto none preserve-parent-color",
  },
  {
    properties: "grid-auto-columns grid-auto-rows",
    words: "auto max-content min-content",
  },
  {
    properties: "grid-auto-flow",
    words: "column dense row",
  },
  {
    properties: "grid-template-columns grid-template-rows",
    words: "auto max-content min-content none subgrid",
  },
  {
    properties: "hyphens",
    words: "auto manual none",
  },
  {
    properties: "image-orientation",
    words: "from-image none",
  },
  {
    properties: "image-rendering",
    words: "-webkit-optimize-contrast auto crisp-edges>131 pixelated",
  },
  {
    properties: "isolation",
    words: "auto isolate",
  },
  {
    properties: "justify-content",
    words: "center end flex-end flex-start left normal right space-around space-between space-evenly start stretch",
  },
  {
    properties: "justify-items",
    words: "anchor-center<153 baseline center end flex-end flex-start left legacy normal right self-end self-start start stretch",
  },
  {
    properties: "justify-self",
    words: "anchor-center auto baseline center end flex-end flex-start left normal right self-end self-start start stretch",
  },
  {
    properties: "line-break",
    words: "anywhere auto loose normal strict",
  },
  {
    properties: "list-style-position",
    words: "inside outside",
  },
  {
    properties: "mask",
    words: "add alpha border-box bottom center content-box exclude fill-box intersect left luminance match-source no-clip no-repeat none padding-box repeat repeat-x repeat-y right round space stroke-box subtract top view-box",
  },
  {
    properties: "mask-clip",
    words: "border-box content-box fill-box no-clip padding-box stroke-box view-box",
  },
  {
    properties: "mask-composite",
    words: "add exclude intersect subtract",
  },
  {
    properties: "mask-mode",
    words: "alpha luminance match-source",
  },
  {
    properties: "mask-origin",
    words: "border-box content-box fill-box padding-box stroke-box view-box",
  },
  {
    properties: "mask-type",
    words: "alpha luminance",
  },
  {
    properties: "math-depth",
    words: "auto-add",
  },
  {
    properties: "math-shift math-style",
    words: "compact normal",
  },
  {
    properties: "max-block-size max-height max-inline-size max-width",
    words: "-webkit-fill-available -webkit-fit-content -webkit-max-content -webkit-min-content fit-content max-content min-content none stretch>131",
  },
  {
    properties: "mix-blend-mode",
    words: "color color-burn color-dodge darken difference exclusion hard-light hue lighten luminosity multiply normal overlay plus-lighter saturation screen soft-light",
  },
  {
    properties: "object-fit",
    words: "contain cover fill none scale-down",
  },
  {
    properties: "offset",
    words: "auto border-box bottom center content-box fill-box left none normal padding-box right stroke-box top view-box",
  },
  {
    properties: "offset-anchor",
    words: "auto bottom center left right top",
  },
  {
    properties: "offset-path",
    words: "border-box content-box fill-box none padding-box stroke-box view-box",
  },
  {
    properties: "offset-position",
    words: "auto bottom center left normal right top",
  },
  {
    properties: "offset-rotate",
    words: "auto reverse",
  },
  {
    properties: "outline",
    words: "<color> -webkit-focus-ring-color auto dashed dotted double groove inset medium none outset ridge solid thick thin",
  },
  {
    properties: "outline-color",
    words: "<color> -webkit-focus-ring-color",
  },
  {
    properties: "outline-style",
    words: "auto dashed dotted double groove inset none outset ridge solid",
  },
  {
    properties: "overflow overflow-x overflow-y",
    words: "auto clip hidden overlay scroll visible",
  },
  {
    properties: "overflow-anchor",
    words: "auto none visible",
  },
  {
    properties: "overflow-wrap word-wrap",
    words: "anywhere break-word normal",
  },
  {
    properties: "overscroll-behavior overscroll-behavior-block overscroll-behavior-inline overscroll-behavior-x overscroll-behavior-y",
    words: "auto chain>131 contain none",
  },
  {
    properties: "page-break-after page-break-before",
    words: "always auto avoid left right",
  },
  {
    properties: "page-break-inside",
    words: "auto avoid",
  },
  {
    properties: "page-orientation",
    words: "rotate-left rotate-right upright",
  },
  {
    properties: "paint-order",
    words: "fill markers normal stroke",
  },
  {
    properties: "pointer-events",
    words: "all auto bounding-box fill none painted stroke visible visiblefill visiblepainted visiblestroke",
  },
  {
    properties: "position",
    words: "absolute fixed relative static sticky",
  },
  {
    properties: "position-anchor",
    words: "auto>126 none>131 normal>131",
  },
  {
    properties: "position-try",
    words: "block-end>127 block-start>127 bottom>127 center>127 end>127 flip-block flip-inline flip-start flip-x>131 flip-y>131 inline-end>127 inline-start>127 left>127 none right>127 self-block-end>127 self-block-start>127 self-end>127 self-inline-end>127 self-inline-start>127 self-start>127 self-x-end>131 self-x-start>131 self-y-end>131 self-y-start>131 span-all>127 span-block-end>127 span-block-start>127 span-bottom>127 span-end>127 span-inline-end>127 span-inline-start>127 span-left>127 span-right>127 span-self-block-end>127 span-self-block-start>127 span-self-end>127 span-self-inline-end>127 span-self-inline-start>127 span-self-start>127 span-self-x-end>131 span-self-x-start>131 span-self-y-end>131 span-self-y-start>131 span-start>127 span-top>127 span-x-end>127 span-x-self-end>127 span-x-self-start>127 span-x-start>127 span-y-end>127 span-y-self-end>127 span-y-self-start>127 span-y-start>127 start>127 top>127 x-end>127 x-self-end>127 x-self-start>127 x-start>127 y-end>127 y-self-end>127 y-self-start>127 y-start>127",
  },
  {
    properties: "position-try-order",
    words: "most-block-size most-height most-inline-size most-width normal",
  },
  {
    properties: "position-visibility",
    words: "always anchors-visible no-overflow",
  },
  {
    properties: "resize",
    words: "auto block both horizontal inline none vertical",
  },
  {
    properties: "ruby-position text-emphasis-position",
    words: "over under",
  },
  {
    properties: "scroll-behavior",
    words: "auto smooth",
  },
  {
    properties: "scroll-snap-align",
    words: "center end none start",
  },
  {
    properties: "scroll-snap-stop",
    words: "always normal",
  },
  {
    properties: "scroll-snap-type",
    words: "block both inline none x y",
  },
  {
    properties: "scroll-timeline-axis view-timeline-axis",
    words: "block inline x y",
  },
  {
    properties: "scrollbar-gutter",
    words: "auto stable",
  },
  {
    properties: "scrollbar-width",
    words: "auto none thin",
  },
  {
    properties: "shape-outside",
    words: "border-box content-box margin-box none padding-box",
  },
  {
    properties: "shape-rendering",
    words: "auto crispedges geometricprecision optimizespeed",
  },
  {
    properties: "size",
    words: "a3 a4 a5 auto b4 b5 jis-b4 jis-b5 landscape ledger legal letter portrait",
  },
  {
    properties: "speak",
    words: "digits literal-punctuation no-punctuation none normal spell-out",
  },
  {
    properties: "stroke-linecap",
    words: "butt round square",
  },
  {
    properties: "stroke-linejoin",
    words: "bevel miter round",
  },
  {
    properties: "table-layout",
    words: "auto fixed",
  },
  {
    properties: "text-align",
    words: "-webkit-auto -webkit-center -webkit-left -webkit-match-parent -webkit-right center end justify left right start",
  },
  {
    properties: "text-align-last",
    words: "auto center end justify left right start",
  },
  {
    properties: "text-anchor",
    words: "end middle start",
  },
  {
    properties: "text-decoration",
    words: "<color> auto blink dashed dotted double from-font grammar-error line-through none overline solid spelling-error underline wavy",
  },
  {
    properties: "text-decoration-line",
    words: "blink grammar-error line-through none overline spelling-error underline",
  },
  {
    properties: "text-decoration-skip-ink",
    words: "all>131 auto none",
  },
  {
    properties: "text-decoration-style",
    words: "dashed dotted double solid wavy",
  },
  {
    properties: "text-decoration-thickness",
    words: "auto from-font",
  },
  {
    properties: "text-emphasis",
    words: "<color> circle dot double-circle filled none open sesame triangle",
  },
  {
    properties: "text-emphasis-style",
    words: "circle dot double-circle filled none open sesame triangle",
  },
  {
    properties: "text-orientation",
    words: "mixed sideways sideways-right upright",
  },
  {
    properties: "text-overflow",
    words: "clip ellipsis",
  },
  {
    properties: "text-rendering",
    words: "auto geometricprecision optimizelegibility optimizespeed",
  },
  {
    properties: "text-spacing-trim",
    words: "normal space-all space-first trim-start",
  },
  {
    properties: "text-transform",
    words: "capitalize lowercase math-auto none uppercase",
  },
  {
    properties: "text-underline-position",
    words: "auto from-font left right under",
  },
  {
    properties: "text-wrap",
    words: "auto>127 balance nowrap pretty stable>127 wrap",
  },
  {
    properties: "touch-action",
    words: "auto manipulation none pan-down pan-left pan-right pan-up pan-x pan-y pinch-zoom",
  },
  {
    properties: "transform-box",
    words: "border-box content-box fill-box stroke-box view-box",
  },
  {
    properties: "transform-style",
    words: "flat preserve-3d",
  },
  {
    properties: "transition-behavior",
    words: "allow-discrete normal",
  },
  {
    properties: "unicode-bidi",
    words: "-webkit-isolate -webkit-isolate-override -webkit-plaintext bidi-override embed isolate isolate-override normal plaintext",
  },
  {
    properties: "user-select",
    words: "all auto none text",
  },
  {
    properties: "vector-effect",
    words: "non-scaling-stroke none",
  },
  {
    properties: "vertical-align",
    words: "-webkit-baseline-middle baseline bottom middle sub super text-bottom text-top top",
  },
  {
    properties: "visibility",
    words: "collapse hidden visible",
  },
  {
    properties: "white-space",
    words: "balance<131 break-spaces collapse normal nowrap pre pre-line pre-wrap preserve preserve-breaks pretty<131 wrap",
  },
  {
    properties: "white-space-collapse",
    words: "break-spaces collapse preserve preserve-breaks",
  },
  {
    properties: "word-break",
    words: "auto-phrase break-all break-word keep-all normal",
  },
  {
    properties: "writing-mode",
    words: "horizontal-tb lr lr-tb rl rl-tb sideways-lr>131 sideways-rl>131 tb tb-rl vertical-lr vertical-rl",
  },
];

export const colors =
  "-webkit-activelink -webkit-link accentcolor>131 accentcolortext>131 activeborder activecaption activetext aliceblue antiquewhite appworkspace aqua aquamarine azure background beige bisque black blanchedalmond blue blueviolet brown burlywood buttonborder buttonface buttonhighlight buttonshadow buttontext cadetblue canvas canvastext captiontext chartreuse chocolate coral cornflowerblue cornsilk crimson currentcolor cyan darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue field fieldtext firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray graytext green greenyellow grey highlight highlighttext honeydew hotpink inactiveborder inactivecaption inactivecaptiontext indianred indigo infobackground infotext ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime limegreen linen linktext magenta mark marktext maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred menu menutext midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown scrollbar seagreen seashell selecteditem selecteditemtext sienna silver skyblue slateblue slategray slategrey snow springgreen steelblue tan teal thistle threeddarkshadow threedface threedhighlight threedlightshadow threedshadow tomato transparent turquoise violet visitedtext wheat white whitesmoke window windowframe windowtext yellow yellowgreen";
