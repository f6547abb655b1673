import { readFileSync } from 'node:fs'

type Place = { readonly latitude: number | null; readonly longitude: number | null }

/** The `[latitude, longitude]` of the city that each IANA zone is named after; `packs/README.md` has the source. */
type ZonePlaces = Readonly<Record<string, readonly [number, number]>>

let places: ZonePlaces | undefined

export function zonePlaces(): ZonePlaces {
  places ??= JSON.parse(
    readFileSync(new URL('../../../packs/zones.json', import.meta.url), 'utf8'),
  ) as ZonePlaces
  return places
}

/** Returns the coordinates of a zone's city, null for zones such as UTC. */
export function placeOfZone(timezone: string): Place {
  const place = zonePlaces()[timezone]
  return { latitude: place?.[0] ?? null, longitude: place?.[1] ?? null }
}
