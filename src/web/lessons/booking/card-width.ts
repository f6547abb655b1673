/** Pixels; the board keeps a card off the lesson's column. */
export const CARD_WIDTH = 400
