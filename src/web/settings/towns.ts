import type { Coordinates } from './place.ts'

export type Town = {
  readonly name: string
  readonly otherName?: string | undefined
  readonly latitude: number
  readonly longitude: number
}

type Rows = readonly (readonly (string | number)[])[]

const load: Readonly<Record<string, () => Promise<{ readonly default: Rows }>>> = {
  AT: () => import('../../../packs/places/AT.json'),
  CH: () => import('../../../packs/places/CH.json'),
  DE: () => import('../../../packs/places/DE.json'),
  FR: () => import('../../../packs/places/FR.json'),
  GB: () => import('../../../packs/places/GB.json'),
  NL: () => import('../../../packs/places/NL.json'),
  PL: () => import('../../../packs/places/PL.json'),
}

/** Fetches the larger towns of a country, largest first; none if they are not known. */
export async function loadTowns(country: string): Promise<readonly Town[]> {
  const loaded = await load[country]?.()
  return (loaded?.default ?? []).map(([name, latitude, longitude, otherName]) => ({
    name: String(name),
    latitude: Number(latitude),
    longitude: Number(longitude),
    otherName: otherName === undefined ? undefined : String(otherName),
  }))
}

/** The distance at which a town still describes a place, in kilometres. */
const NEAR_KM = 15
const KM_PER_DEGREE = 111

/** Returns the nearest town within 15 km; undefined if there is none. */
export function townNear(towns: readonly Town[], place: Coordinates | undefined): Town | undefined {
  if (place?.latitude == null || place.longitude === null) return undefined
  const { latitude, longitude } = place
  const width = Math.cos((latitude * Math.PI) / 180)
  const distanceTo = (town: Town) =>
    KM_PER_DEGREE * Math.hypot(town.latitude - latitude, (town.longitude - longitude) * width)
  let nearest: Town | undefined
  for (const town of towns) if (distanceTo(town) < (nearest ? distanceTo(nearest) : NEAR_KM)) nearest = town
  return nearest
}
