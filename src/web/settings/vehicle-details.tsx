import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Vehicle, VehicleChange } from '../../contract/vehicle.ts'
import { localToday } from '../../domain/time-zone.ts'
import { History } from '../changes/history.tsx'
import { type AbsenceEntry, absenceEntryOf, absenceOf, isWholeAbsence } from '../ui/absence-entries.ts'
import { Button } from '../ui/button.tsx'
import { AbsenceFields } from '../ui/dialogs/absence-fields.tsx'
import { Choices } from '../ui/dialogs/choices.tsx'
import { LocationField } from '../ui/dialogs/location-field.tsx'
import { NotesField } from '../ui/dialogs/text-fields.tsx'
import { offeredClasses } from '../ui/offered-classes.ts'
import { OptionSelect } from '../ui/option-select.tsx'
import { useSchool } from '../ui/school.tsx'
import { useRow } from './use-row.ts'
import css from './vehicles.module.css'

const GEARBOXES = ['manual', 'automatic'] as const

type VehicleDetailsProps = {
  readonly vehicle: Vehicle
  readonly isBusy: boolean
  /** Rejects if the service rejects the change. */
  readonly onChange: (change: VehicleChange) => Promise<unknown>
}

/** The rarely changed fields of a vehicle, saved together, and its history. */
export function VehicleDetails({ vehicle, isBusy, onChange }: VehicleDetailsProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const { form, canSave, edit, save } = useRow(vehicle, { formOf, valuesOf, isWhole, onChange })
  const classes = [...new Set([...offeredClasses(school), ...vehicle.license_classes])].map(asOption)
  return (
    <div className={css.details}>
      <OptionSelect
        label={t('field.gearbox')}
        value={form.gearbox ?? ''}
        options={[
          ['', t('vehicle.anyGearbox')],
          ...GEARBOXES.map((gearbox) => [gearbox, t(`vehicle.${gearbox}`)] as const),
        ]}
        onChange={(value) => edit({ gearbox: GEARBOXES.find((one) => one === value) ?? null })}
      />
      <Choices
        label={t('field.license_classes')}
        placeholder={t('vehicle.allClasses')}
        data={classes}
        chosen={form.license_classes.map(asOption)}
        onChange={(chosen) => edit({ license_classes: [...chosen] })}
        without={(name) => t('instructor.removeClass', { name })}
      />
      <LocationField value={form.location_id} onChange={(location_id) => edit({ location_id })} />
      <NotesField label={t('field.notes')} value={form.notes} onChange={(notes) => edit({ notes })} />
      {vehicle.active && (
        <Link to="/absence" search={{ vehicle: vehicle.id }}>
          {t('vehicle.away')}
        </Link>
      )}
      {vehicle.active && (
        <Link to="/absence" search={{ vehicle: vehicle.id, change: true }}>
          {t('vehicle.retire')}
        </Link>
      )}
      <AbsenceFields
        legend={t('field.absences')}
        hint={t('vehicle.absencesHint')}
        add={t('vehicle.addAbsence')}
        entries={form.absences}
        today={localToday(new Date(), school.tenant.timezone)}
        onChange={(absences) => edit({ absences })}
      />
      <Button
        look="primary"
        isBusy={isBusy}
        disabled={!canSave}
        aria-label={`${vehicle.name}: ${t('action.save')}`}
        onClick={save}
      >
        {t('action.save')}
      </Button>
      <History resource="vehicle" id={vehicle.id} />
    </div>
  )
}

function asOption(license_class: string) {
  return { value: license_class, label: license_class }
}

type DetailsForm = ReturnType<typeof formOf>

function formOf({ gearbox, license_classes, location_id, notes, absences }: Vehicle) {
  return {
    location_id,
    gearbox,
    license_classes,
    notes: notes ?? '',
    absences: absences.map(absenceEntryOf) as readonly AbsenceEntry[],
  }
}

/** The fields that the vehicle's row sets. */
type OfRow = 'name' | 'plate' | 'kind' | 'active'

function valuesOf({ notes, absences, ...form }: DetailsForm): Required<Omit<VehicleChange, OfRow>> {
  return { ...form, notes: notes.trim() || null, absences: absences.map(absenceOf) }
}

function isWhole({ absences }: DetailsForm): boolean {
  return absences.every(isWholeAbsence)
}
