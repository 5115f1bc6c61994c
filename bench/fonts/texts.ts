// The texts of the benchmark of fonts.
import { everyScript } from "../../test/browser/fixtures/every-script.ts";

export type Block = { lang: string; family: "sans" | "serif" | "mono"; text: string };

/** The characters that Japanese schools teach, year by year, in the order of the years. */
const taught = [
  "一右雨円王音下火花貝学気九休玉金空月犬見五口校左三山子四糸字耳七車手十出女小上森人水正生青夕石赤千川先早草足村大男竹中虫町天田土二日入年白八百文木本名目立力林六",
  "引羽雲園遠何科夏家歌画回会海絵外角楽活間丸岩顔汽記帰弓牛魚京強教近兄形計元言原戸古午後語工公広交光考行高黄合谷国黒今才細作算止市矢姉思紙寺自時室社弱首秋週春書少場色食心新親図数西声星晴切雪船線前組走多太体台地池知茶昼長鳥朝直通弟店点電刀冬当東答頭同道読内南肉馬売買麦半番父風分聞米歩母方北毎妹万明鳴毛門夜野友用曜来里理話",
  "悪安暗医委意育員院飲運泳駅央横屋温化荷界開階寒感漢館岸起期客究急級宮球去橋業曲局銀区苦具君係軽血決研県庫湖向幸港号根祭皿仕死使始指歯詩次事持式実写者主守取酒受州拾終習集住重宿所暑助昭消商章勝乗植申身神真深進世整昔全相送想息速族他打対待代第題炭短談着注柱丁帳調追定庭笛鉄転都度投豆島湯登等動童農波配倍箱畑発反坂板皮悲美鼻筆氷表秒病品負部服福物平返勉放味命面問役薬由油有遊予羊洋葉陽様落流旅両緑礼列練路和",
  "愛案以衣位囲胃印英栄塩億加果貨課芽改械害街各覚完官管関観願希季紀喜旗器機議求泣救給挙漁共協鏡競極訓軍郡径型景芸欠結建健験固功好候航康告差菜最材昨札刷殺察参産散残士氏史司試児治辞失借種周祝順初松笑唱焼象照賞臣信成省清静席積折節説浅戦選然争倉巣束側続卒孫帯隊達単置仲貯兆腸低底停的典伝徒努灯堂働特得毒熱念敗梅博飯飛費必票標不夫付府副粉兵別辺変便包法望牧末満未脈民無約勇要養浴利陸良料量輪類令冷例歴連老労録",
  "圧移因永営衛易益液演応往桜恩可仮価河過賀快解格確額刊幹慣眼基寄規技義逆久旧居許境均禁句群経潔件券険検限現減故個護効厚耕鉱構興講混査再災妻採際在財罪雑酸賛支志枝師資飼示似識質舎謝授修述術準序招承証条状常情織職制性政勢精製税責績接設舌絶銭祖素総造像増則測属率損退貸態団断築張提程適敵統銅導徳独任燃能破犯判版比肥非備俵評貧布婦富武復複仏編弁保墓報豊防貿暴務夢迷綿輸余預容略留領",
].join("");
const kana =
  "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをんアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲンガギグゲゴザジズゼゾダデドバビブベボパピプペポがぎぐげごだでどばびぶべぼ、。「」ー";

/** Returns a text of so many distinct characters, the common ones first. */
export function japanese(characters: number): Block {
  return {
    lang: "ja",
    family: "sans",
    text: Array.from(kana + taught)
      .slice(0, characters)
      .join(""),
  };
}

export const latin: Block = {
  lang: "en",
  family: "sans",
  text: "Payment is due within thirty days of the date of the invoice.",
};
export const thai: Block = { lang: "th", family: "sans", text: "กรุณาชำระเงินภายในสามสิบวันนับจากวันที่ในใบแจ้งหนี้" };

/** About a page. */
export const manyScripts: Block[] = [
  latin,
  { ...latin, family: "serif" },
  { ...latin, family: "mono" },
  { lang: "el", family: "serif", text: "Το τιμολόγιο εξοφλείται εντός τριάντα ημερών από την ημερομηνία έκδοσής του." },
  { lang: "uk", family: "sans", text: "Рахунок № 17 від 21 листопада сплачується протягом тридцяти днів." },
  { lang: "ar", family: "sans", text: "يُرجى سداد الفاتورة رقم ١٧ خلال ثلاثين يومًا من تاريخها، شكرًا لكم." },
  { lang: "hi", family: "sans", text: "कृपया इस बीजक का भुगतान तीस दिनों के भीतर करें। धन्यवाद।" },
  thai,
  { lang: "he", family: "sans", text: "נא לשלם את החשבונית בתוך שלושים יום ממועד הפקתה." },
  japanese(300),
  { lang: "en", family: "sans", text: "→ ✓ ☐ ★ ″ ∑ ≤ ≠ ● ♫" },
  { lang: "en", family: "sans", text: "😀 🚀 👩🏿‍🚀 🇳🇱" },
];

/** A sentence in each writing system, without those of these names. */
export function everyScriptBut(...names: string[]): Block[] {
  return everyScript
    .filter(({ name }) => !names.includes(name))
    .map(({ lang, text }) => ({ lang, family: "sans", text }));
}

/** A text in many other files than those of `manyScripts`. */
export const otherFiles: Block[] = [
  {
    lang: "zh-CN",
    family: "sans",
    text: Array.from({ length: 2_400 }, (_, index) => String.fromCodePoint(0x4e00 + index * 8)).join(""),
  },
  {
    lang: "ko",
    family: "sans",
    text: Array.from({ length: 1_200 }, (_, index) => String.fromCodePoint(0xac00 + index * 9)).join(""),
  },
];
