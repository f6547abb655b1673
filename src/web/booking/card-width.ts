/** A card's width in pixels. The board keeps the card clear of the lesson's column. */
export const CARD_WIDTH = 400
