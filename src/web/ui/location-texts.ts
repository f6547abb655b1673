import type { Location } from '../../contract/location.ts'
import { type Field, type Fields, NOTHING, text } from './field-kinds.ts'

/** The location of an instructor, a vehicle or a lesson. */
export const PLACED: Field<string | null> = {
  label: 'location.one',
  words: (id, { location }) => [location.get(id ?? '')?.name ?? NOTHING],
}

export const LOCATION: Fields<Location> = {
  name: text('field.name'),
  address: text('location.address'),
  travel_minutes: {
    label: 'location.ways',
    words: (ways, { location }, t) =>
      Object.entries(ways).map(
        ([id, count]) => `${location.get(id)?.name ?? NOTHING}: ${t('lesson.minutes', { count })}`,
      ),
  },
}
