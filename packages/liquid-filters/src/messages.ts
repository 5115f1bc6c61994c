// Messages in several languages: parsing them, reading what they contain, and choosing the messages of a render.
export { allParts, argumentNames, maxKeyChars, type Message, type MessagePart } from "./messages/message.ts";
export {
  bytesPerParsedChar,
  maxParsedChars,
  messageCatalog,
  messageLocales,
  messagesFor,
  type MessageCatalog,
  type Messages,
  type MessageTexts,
} from "./messages/message-catalog.ts";
export { parseMessage, type ParsedMessage } from "./messages/parse-message.ts";
