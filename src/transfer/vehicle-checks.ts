import * as range from '../domain/ranges.ts'
import { VEHICLE_KINDS } from '../domain/vehicles.ts'
import * as is from './checks.ts'

export const VEHICLE_CHECKS = {
  id: is.uuid,
  name: is.text(range.VEHICLE_NAME_LENGTH),
  kind: is.oneOf(VEHICLE_KINDS),
  gearbox: is.orNull(is.oneOf(['manual', 'automatic'])),
  license_classes: is.listOf(is.text(range.LICENSE_CLASS_LENGTH), range.MOST_LICENSE_CLASSES),
  plate: is.orNull(is.text(range.PLATE_LENGTH)),
  notes: is.orNull(is.text(range.VEHICLE_NOTES_LENGTH)),
  location_id: is.orNull(is.uuid),
  active: is.flag,
  absences: is.listOf(is.absence, range.MOST_ABSENCES),
  deleted_at: is.orNull(is.moment),
}
