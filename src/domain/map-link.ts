const PLACE = '{place}'

/** The pattern of a map's address in ASCII (RFC 3986): `https`, a host, and `{place}` once after it. */
export const MAP_URL = /^https:\/\/[\w.:-]+[/?#][!-z|~]*\{place\}[!-z|~]*$/

/** Returns the link to a place; undefined without a place or a map. */
export function mapLinkFor(place: string | null, map_url: string | null): string | undefined {
  return place && map_url ? map_url.replace(PLACE, () => encodeURIComponent(place)) : undefined
}
