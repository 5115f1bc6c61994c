// What the tests of writing systems print, and which fonts of the Noto family they print it with.

export type Script = {
  name: string;
  lang: string;
  packages: string[];
  text: string;
  /**
   * Where pdf.js reads it. Chromium maps only a font's plain glyphs to characters; for joined and substituted ones it
   * writes the text beside them (ActualText), in the body alone. Poppler reads that, pdf.js does not.
   */
  reads: "everywhere" | "body" | "actual text";
};

const noto = (name: string) => [`@fontsource/noto-sans${name}`];
/** One file for all weights, a tenth of the static ones in size: they hold ten thousand characters. */
const variableNoto = (name: string) => [`@fontsource-variable/noto-sans${name}`];

export const scripts: Script[] = [
  {
    name: "Latin",
    reads: "everywhere",
    lang: "vi",
    packages: noto(""),
    text: "Überraſchend: “façade”, ﬁancée — Łódź, İstanbul, Þingvellir. Tiếng Việt viết bằng chữ Quốc ngữ, đủ dấu: ường, ễ, ặ.",
  },
  {
    name: "Cyrillic",
    reads: "everywhere",
    lang: "uk",
    packages: noto(""),
    text: "Рахунок № 17 від 21 листопада: з’єднання, ґанок і їжак. Счёт выставлен; оплатите до конца месяца. Љубав, Ѓорѓи, Қазақ.",
  },
  {
    name: "Greek",
    reads: "everywhere",
    lang: "el",
    packages: noto(""),
    text: "Το τιμολόγιο εξοφλείται εντός τριάντα ημερών· ευχαριστούμε. Ἐν ἀρχῇ ἦν ὁ λόγος, ᾧ ᾄδομεν.",
  },
  {
    name: "Chinese",
    reads: "everywhere",
    lang: "zh-CN",
    packages: variableNoto("-sc"),
    text: "本合同自双方签字之日起生效，一式两份，甲乙双方各执一份。付款期限为三十天，逾期将收取利息。",
  },
  {
    name: "Japanese",
    reads: "everywhere",
    lang: "ja",
    packages: variableNoto("-jp"),
    text: "ご請求書をお送りいたします。お支払いは三十日以内にお願いします。カタカナのヴァイオリン、「漢字」、ﾜｲﾝ。",
  },
  {
    name: "Korean",
    reads: "body",
    lang: "ko",
    packages: variableNoto("-kr"),
    text: "청구서를 보내 드립니다. 결제는 삼십 일 이내에 부탁드립니다. 값싼 닭고기, 뷁, 읊조리다.",
  },
  {
    name: "Arabic",
    reads: "actual text",
    lang: "ar",
    packages: noto("-arabic"),
    text: "يُرجى سداد الفاتورة رقم ١٧ خلال ثلاثين يومًا من تاريخ الاستلام، ولا تُقبل الطلبات بعد ذلك. شكرًا لكم.",
  },
  {
    name: "Hebrew",
    reads: "everywhere",
    lang: "he",
    packages: noto("-hebrew"),
    text: "נא לשלם את החשבונית בתוך שלושים יום ממועד קבלתה. שלום לכולם ותודה רבה.",
  },
  {
    name: "Devanagari",
    reads: "actual text",
    lang: "hi",
    packages: noto(""),
    text: "कृपया तीस दिनों के भीतर भुगतान करें। विद्यार्थी ज्ञान और श्रद्धा से क्षमा माँगते हैं। राष्ट्र, द्वितीय, हिन्दी।",
  },
  {
    name: "Thai",
    reads: "actual text",
    lang: "th",
    packages: noto("-thai"),
    text: "กรุณาชำระเงินภายในสามสิบวัน ผู้ใหญ่บ้านที่นี่รู้จักกันดี น้ำเป็นสิ่งจำเป็น ก็คือกฎหมาย",
  },
  {
    name: "emoji",
    reads: "everywhere",
    lang: "en",
    packages: ["@fontsource/noto-color-emoji"],
    text: "😀 ❤️ 👍🏽 👩🏿‍🚀 👨‍👩‍👧‍👦 🏳️‍🌈 🇳🇱 🇯🇵 1️⃣ ☎️ 🫠",
  },
];
