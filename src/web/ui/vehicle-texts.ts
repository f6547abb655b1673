import type { Vehicle } from '../../contract/vehicle.ts'
import { absenceText } from './absence-text.ts'
import { type Fields, NOTHING, text } from './field-kinds.ts'
import { PLACED } from './location-texts.ts'

export const VEHICLE: Fields<Vehicle> = {
  name: text('field.name'),
  kind: { label: 'field.kind', words: (kind, _, t) => [t(`vehicle.${kind}`)] },
  gearbox: {
    label: 'field.gearbox',
    words: (gearbox, _, t) => [gearbox ? t(`vehicle.${gearbox}`) : NOTHING],
  },
  license_classes: { label: 'field.license_classes', words: (classes) => classes },
  plate: text('field.plate'),
  notes: text('field.notes'),
  location_id: PLACED,
  active: {
    label: 'lesson.status',
    words: (active, _, t) => [t(active ? 'vehicle.active' : 'vehicle.inactive')],
  },
  absences: {
    label: 'field.absences',
    words: (absences, { format }) => absences.map((one) => absenceText(one, format)),
  },
}
