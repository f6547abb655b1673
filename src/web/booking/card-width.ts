/** Of the card of a lesson, in pixels; the board keeps it off the lesson's column. */
export const CARD_WIDTH = 400
