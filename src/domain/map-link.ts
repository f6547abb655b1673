const PLACE = '{place}'

/** The address of a map, in ASCII as RFC 3986 has it: `https`, a host, and one gap for the place behind it. */
export const MAP_URL = /^https:\/\/[\w.:-]+[/?#][!-z|~]*\{place\}[!-z|~]*$/

/** Returns the link to a place; undefined without a place or a map. */
export function mapLinkFor(place: string | null, map_url: string | null): string | undefined {
  return place && map_url ? map_url.replace(PLACE, () => encodeURIComponent(place)) : undefined
}
