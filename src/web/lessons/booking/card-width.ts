/** The width of a lesson's card in pixels; the board keeps it off the lesson's column. */
export const CARD_WIDTH = 400
