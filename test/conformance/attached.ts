// Files for the documents of the conformance lane: attachments with names in several scripts, and an invoice of the profile MINIMUM.
import type { AttachedFiles } from "colophon-pdf/attachments";

const type = "urn:un:unece:uncefact:data:standard";
const amounts = {
  TaxBasisTotal: "100.00",
  'TaxTotal currencyID="EUR"': "19.00",
  GrandTotal: "119.00",
  DuePayable: "119.00",
};

const total = Object.entries(amounts)
  .map(([key, value]) => {
    const [name, attribute = ""] = key.split(" ");
    return `<ram:${name}Amount${attribute && ` ${attribute}`}>${value}</ram:${name}Amount>`;
  })
  .join("");

const xml = `<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="${type}:CrossIndustryInvoice:100"
  xmlns:ram="${type}:ReusableAggregateBusinessInformationEntity:100" xmlns:udt="${type}:UnqualifiedDataType:100">
  <rsm:ExchangedDocumentContext>
    <ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>urn:factur-x.eu:1p0:minimum</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter>
  </rsm:ExchangedDocumentContext>
  <rsm:ExchangedDocument>
    <ram:ID>2026-1</ram:ID><ram:TypeCode>380</ram:TypeCode>
    <ram:IssueDateTime><udt:DateTimeString format="102">20261129</udt:DateTimeString></ram:IssueDateTime>
  </rsm:ExchangedDocument>
  <rsm:SupplyChainTradeTransaction>
    <ram:ApplicableHeaderTradeAgreement>
      <ram:SellerTradeParty>
        <ram:Name>Seller</ram:Name><ram:PostalTradeAddress><ram:CountryID>DE</ram:CountryID></ram:PostalTradeAddress>
        <ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE123456789</ram:ID></ram:SpecifiedTaxRegistration>
      </ram:SellerTradeParty>
      <ram:BuyerTradeParty><ram:Name>Buyer</ram:Name></ram:BuyerTradeParty>
    </ram:ApplicableHeaderTradeAgreement>
    <ram:ApplicableHeaderTradeDelivery/>
    <ram:ApplicableHeaderTradeSettlement>
      <ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>
      <ram:SpecifiedTradeSettlementHeaderMonetarySummation>${total}</ram:SpecifiedTradeSettlementHeaderMonetarySummation>
    </ram:ApplicableHeaderTradeSettlement>
  </rsm:SupplyChainTradeTransaction>
</rsm:CrossIndustryInvoice>
`;

export const attached: AttachedFiles = {
  attachments: ["hours.csv", "часы.csv", "時間.csv", "ساعات.csv", "😀.csv"].map((name) => ({
    name,
    mimeType: "text/csv",
    relationship: "supplement",
    description: "Hours – 時間",
    content: Buffer.from(`day,hours\n1,${name.length}\n`).toString("base64"),
  })),
  einvoice: { xml, profile: "MINIMUM" },
};
