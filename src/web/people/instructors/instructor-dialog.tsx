import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Instructor, NewInstructor } from '../../../contract/instructor.ts'
import { EMPLOYMENTS } from '../../../domain/employment.ts'
import { INSTRUCTOR_NUMBER_LENGTH } from '../../../domain/ranges.ts'
import { localToday } from '../../../domain/time-zone.ts'
import { History } from '../../changes/history.tsx'
import { changeInstructor, hireInstructor } from '../../data/instructors.ts'
import { Stale } from '../../data/write-queue.ts'
import { differingFields, isChanged } from '../../ui/changed-fields.ts'
import { Details } from '../../ui/details.tsx'
import { AbsenceFields } from '../../ui/dialogs/absence-fields.tsx'
import { Choice } from '../../ui/dialogs/choice.tsx'
import { Choices } from '../../ui/dialogs/choices.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { LocationField } from '../../ui/dialogs/location-field.tsx'
import { PersonFields } from '../../ui/dialogs/person-fields.tsx'
import { SwitchField } from '../../ui/dialogs/switch-field.tsx'
import { TextField } from '../../ui/dialogs/text-fields.tsx'
import { SaveNotice } from '../../ui/failure-notice.tsx'
import layout from '../../ui/layout.module.css'
import { offeredClasses } from '../../ui/offered-classes.ts'
import { useSchool } from '../../ui/school.tsx'
import { type PersonRequests, useSavePerson } from '../../ui/undo/use-save-person.ts'
import { CalendarFeed } from '../links/calendar-feed.tsx'
import { PrivateCalendars } from '../links/private-calendars.tsx'
import { AffectedLessons } from './affected-lessons.tsx'
import { ChangeList } from './change-list.tsx'
import { HoursFields } from './hours-fields.tsx'
import {
  canCheckImpact,
  type InstructorForm,
  instructorFormOf,
  instructorOf,
  rulesOf,
} from './instructor-form.ts'
import { LimitFields } from './limit-fields.tsx'
import { VacationFields } from './vacation-fields.tsx'

const REQUESTS: PersonRequests<Instructor, NewInstructor> = {
  kind: 'instructors',
  create: hireInstructor,
  change: changeInstructor,
}

type InstructorDialogProps = {
  /** The instructor to change; undefined for a new one. */
  readonly instructor: Instructor | undefined
  readonly onClose: () => void
}

/** Creates or changes an instructor, and lists lessons that would no longer fit. */
export default function InstructorDialog({ instructor, onClose }: InstructorDialogProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const [before] = useState(() => instructorFormOf(instructor, school))
  const [form, setForm] = useState(before)
  const { save, error, isBusy } = useSavePerson(instructor, REQUESTS, onClose)

  return (
    <FormDialog
      title={t(instructor ? 'instructor.edit' : 'board.addInstructor')}
      submit={t('action.save')}
      size="xl"
      isBusy={isBusy}
      isFilled={isChanged(form, before)}
      onSubmit={() => save(instructorOf(form))}
      onClose={onClose}
    >
      <InstructorFields
        form={form}
        held={before.license_classes}
        onChange={(change) => setForm({ ...form, ...change })}
      />
      {instructor && canCheckImpact(form) && (
        <>
          <ChangeList title={t('instructor.changes')} before={before} after={form} />
          <AffectedLessons
            instructor={instructor}
            change={differingFields(rulesOf(form), rulesOf(before))}
            whole={differingFields(instructorOf(form), instructorOf(before))}
          />
        </>
      )}
      <SaveNotice error={error} />
      {error instanceof Stale && (
        <ChangeList
          title={t('instructor.othersChanges')}
          before={before}
          after={instructorFormOf(error.current, school)}
        />
      )}
      {instructor?.active && (
        <Link to="/absence" search={{ instructor: instructor.id }}>
          {t('absencePage.handle')}
        </Link>
      )}
      {instructor && (
        <Details title={t('links.calendar')}>
          <CalendarFeed instructorId={instructor.id} />
        </Details>
      )}
      {instructor && (
        <Details title={t('busy.title')}>
          <PrivateCalendars instructorId={instructor.id} />
        </Details>
      )}
      {instructor && <History resource="instructor" id={instructor.id} />}
    </FormDialog>
  )
}

type InstructorFieldsProps = {
  readonly form: InstructorForm
  readonly held: readonly string[]
  readonly onChange: (change: Partial<InstructorForm>) => void
}

function InstructorFields({ form, held, onChange }: InstructorFieldsProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const today = localToday(new Date(), school.tenant.timezone)
  return (
    <>
      <PersonFields value={form} onChange={onChange} />
      <div className={layout.pair}>
        <TextField
          label={t('field.number')}
          maxLength={INSTRUCTOR_NUMBER_LENGTH.max}
          value={form.number}
          onChange={(number) => onChange({ number })}
        />
        <Choice
          label={t('field.employment')}
          data={EMPLOYMENTS.map((value) => ({ value, label: t(`instructor.${value}`) }))}
          value={form.employment}
          onChange={(chosen) =>
            onChange({ employment: EMPLOYMENTS.find((one) => one === chosen) ?? 'employee' })
          }
        />
      </div>
      <SwitchField
        label={t('field.is_trainee')}
        isOn={form.is_trainee}
        onChange={(is_trainee) => onChange({ is_trainee })}
      />
      <UsualVehicle value={form.usual_vehicle_id} onChange={onChange} />
      <LocationField
        value={form.location_id}
        onChange={(location_id) => onChange({ location_id: location_id ?? '' })}
      />
      <div className={layout.pair}>
        <Choices
          label={t('field.license_classes')}
          placeholder={t('instructor.addClass')}
          data={[...new Set([...offeredClasses(school), ...held])].map(asOption)}
          chosen={form.license_classes.map(asOption)}
          onChange={(classes) => onChange({ license_classes: [...classes] })}
          without={(name) => t('instructor.removeClass', { name })}
        />
        <TextField
          label={t('field.color')}
          type="color"
          value={form.color}
          onChange={(color) => onChange({ color })}
        />
      </div>
      <SwitchField
        label={t('instructor.active')}
        isOn={form.active}
        onChange={(active) => onChange({ active })}
      />
      <LimitFields form={form} onChange={onChange} />
      <HoursFields
        legend={t('field.availability_windows')}
        hasDates
        windows={form.availability_windows}
        onChange={(availability_windows) => onChange({ availability_windows })}
      />
      <VacationFields
        vacations={form.vacations}
        today={today}
        onChange={(vacations) => onChange({ vacations })}
      />
      <AbsenceFields
        legend={t('absence.title')}
        hint={t('absence.hint')}
        add={t('absence.add')}
        entries={form.absences}
        today={today}
        onChange={(absences) => onChange({ absences })}
      />
    </>
  )
}

function asOption(license_class: string) {
  return { value: license_class, label: license_class }
}

type UsualVehicleProps = {
  readonly value: string
  readonly onChange: (change: Partial<InstructorForm>) => void
}

/** The vehicle proposed for bookings; hidden in a school without vehicles. */
function UsualVehicle({ value, onChange }: UsualVehicleProps) {
  const { vehicles } = useSchool()
  const { t } = useTranslation()
  if (vehicles.length === 0) return null
  return (
    <Choice
      label={t('field.usual_vehicle_id')}
      data={vehicles.map(({ id, name }) => ({ value: id, label: name }))}
      value={vehicles.some(({ id }) => id === value) ? value : null}
      onChange={(id) => onChange({ usual_vehicle_id: id ?? '' })}
      clearable
    />
  )
}
