import { readFileSync } from 'node:fs'

type Place = { readonly latitude: number | null; readonly longitude: number | null }

/** The city after which each IANA zone is named, as `[latitude, longitude]`; `packs/README.md` has the source. */
type ZonePlaces = Readonly<Record<string, readonly [number, number]>>

let places: ZonePlaces | undefined

/** Returns every zone whose place is known. */
export function zonePlaces(): ZonePlaces {
  places ??= JSON.parse(
    readFileSync(new URL('../../packs/zones.json', import.meta.url), 'utf8'),
  ) as ZonePlaces
  return places
}

/** Returns the place of the city that a zone is named after; null for zones without one, such as UTC. */
export function placeOfZone(timezone: string): Place {
  const place = zonePlaces()[timezone]
  return { latitude: place?.[0] ?? null, longitude: place?.[1] ?? null }
}
