/** The coordinates of a place in degrees; null if it has none. */
export type Coordinates = { readonly latitude: number | null; readonly longitude: number | null }

const NO_PLACE: Coordinates = { latitude: null, longitude: null }
// A comma separates the numbers only before one with a decimal point: "53,9" may be one number.
const PAIR =
  /^([+-]?\d{1,3}(?:[.,]\d+)?) ?°? ?([NS])?(?:[,;/]? |[;/]|,(?=[+-]?\d+\.)|(?<=[NS°]))([+-]?\d{1,3}(?:[.,]\d+)?) ?°? ?([EOW])?$/i

/** The coordinates in the links of maps, those of the marked place before those of the part of the map that is shown. */
const LINKS = [
  /!3d(-?\d{1,3}(?:\.\d+)?)!4d(-?\d{1,3}(?:\.\d+)?)/,
  /[?&]mlat=(-?\d{1,3}(?:\.\d+)?)&mlon=(-?\d{1,3}(?:\.\d+)?)/,
  /[?&](?:q|query|ll|daddr|destination)=(?:loc:)?(-?\d{1,3}(?:\.\d+)?)(?:,|%2C)(?:[+]|%20)?(-?\d{1,3}(?:\.\d+)?)/i,
  /^geo:(-?\d{1,3}(?:\.\d+)?),(-?\d{1,3}(?:\.\d+)?)/,
  /@(-?\d{1,3}(?:\.\d+)?),(-?\d{1,3}(?:\.\d+)?)/,
  /#map=\d{1,2}\/(-?\d{1,3}(?:\.\d+)?)\/(-?\d{1,3}(?:\.\d+)?)/,
]

/**
 * Parses a place as maps write it, "53.5511, 9.9937", "53,5511 9,9937", "53.5511° N, 9.9937° E", or in the link of a map. An
 * empty text has null coordinates; undefined if the text is not a place.
 */
export function placeIn(text: string): Coordinates | undefined {
  if (text.trim() === '') return NO_PLACE
  if (text.includes(':')) return placeInLink(text.trim())
  const [, first, north, second, east] = PAIR.exec(text.trim().replace(/\s+/g, ' ')) ?? []
  if (first === undefined || second === undefined) return undefined
  const latitude = degreesOf(first, north?.toUpperCase() === 'S')
  const longitude = degreesOf(second, east?.toUpperCase() === 'W')
  return placeAt(latitude, longitude)
}

function placeInLink(link: string): Coordinates | undefined {
  const [, latitude, longitude] = LINKS.map((pattern) => pattern.exec(link)).find((found) => found) ?? []
  return placeAt(Number(latitude), Number(longitude))
}

function placeAt(latitude: number, longitude: number): Coordinates | undefined {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined
}

/** Formats a place for `placeIn`, without rounding. */
export function placeText({ latitude, longitude }: Coordinates): string {
  return latitude === null || longitude === null ? '' : `${latitude}, ${longitude}`
}

function degreesOf(text: string, isNegative: boolean): number {
  const degrees = Number(text.replace(',', '.'))
  return isNegative ? -degrees : degrees
}
