import { mapLinkFor } from '../../domain/map-link.ts'
import { useSchool } from './school.tsx'

/** A place in words, linked to the map that the school has chosen. */
export function PlaceLink({ place }: { readonly place: string }) {
  const { tenant } = useSchool()
  const link = mapLinkFor(place, tenant.map_url)
  if (!link) return place
  return (
    <a href={link} target="_blank" rel="noreferrer">
      {place}
    </a>
  )
}
