import { useTranslation } from 'react-i18next'
import { BOOKABLE, BOOKING_MODES } from '../../domain/student-booking.ts'
import { Choice } from '../ui/dialogs/choice.tsx'
import { Choices } from '../ui/dialogs/choices.tsx'
import { NumberField } from '../ui/dialogs/number-field.tsx'
import { SwitchField } from '../ui/dialogs/switch-field.tsx'
import { TimeField } from '../ui/dialogs/time-field.tsx'
import { FieldGroup } from '../ui/field-group.tsx'
import layout from '../ui/layout.module.css'
import { useSchool } from '../ui/school.tsx'
import { areHours, BOUNDS, type BookingForm, isBeyondNotice } from './booking-form.ts'

type BookingFieldsProps = {
  readonly booking: BookingForm
  readonly onChange: (booking: BookingForm) => void
}

/** The lessons that students may move and book on their page, and the bounds of the times. */
export function BookingFields({ booking, onChange }: BookingFieldsProps) {
  const { t } = useTranslation()
  const set = (change: Partial<BookingForm>) => onChange({ ...booking, ...change })
  const number = (name: keyof typeof BOUNDS) => (
    <NumberField
      label={t(`studentBooking.${name}`)}
      description={name === 'horizon_days' && !isBeyondNotice(booking) && t('studentBooking.tooShort')}
      {...BOUNDS[name]}
      value={booking[name]}
      onChange={(value) => set({ [name]: value })}
    />
  )
  return (
    <FieldGroup title={t('studentBooking.title')} hint={t('studentBooking.hint')}>
      <Choice
        label={t('studentBooking.mode')}
        data={BOOKING_MODES.map((value) => ({ value, label: t(`studentBooking.modeIs.${value}`) }))}
        value={booking.mode}
        onChange={(chosen) => set({ mode: BOOKING_MODES.find((one) => one === chosen) ?? booking.mode })}
      />
      {booking.mode !== 'off' && (
        <>
          <div className={layout.pair}>
            {number('notice_hours')}
            {number('horizon_days')}
          </div>
          <div className={layout.pair}>
            <TimeField
              label={t('studentBooking.time_from')}
              step={30}
              value={booking.time_from}
              error={booking.time_from === '' && t('fault.missing')}
              onChange={(time_from) => set({ time_from })}
            />
            <TimeField
              label={t('studentBooking.time_to')}
              step={30}
              value={booking.time_to === '24:00' ? '00:00' : booking.time_to}
              error={!areHours(booking) && t('studentBooking.noHours')}
              onChange={(to) => set({ time_to: to === '00:00' ? '24:00' : to })}
            />
          </div>
          <SwitchField
            label={t('studentBooking.no_gaps')}
            isOn={booking.no_gaps}
            onChange={(no_gaps) => set({ no_gaps })}
          />
        </>
      )}
      {booking.mode === 'book' && (
        <>
          {number('lessons_ahead')}
          <TypeChoices booking={booking} onChange={set} />
        </>
      )}
    </FieldGroup>
  )
}

type TypeChoicesProps = {
  readonly booking: BookingForm
  readonly onChange: (change: Partial<BookingForm>) => void
}

/** The lesson types to book; none chosen means those that the class requires, and practice. */
function TypeChoices({ booking: { lesson_type_ids }, onChange }: TypeChoicesProps) {
  const { lessonType } = useSchool()
  const { t } = useTranslation()
  const options = [...lessonType.values()]
    .filter(
      ({ category, hidden, id }) => BOOKABLE.includes(category) && (!hidden || lesson_type_ids?.includes(id)),
    )
    .map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Choices
      label={t('studentBooking.types')}
      placeholder={t('studentBooking.anyType')}
      data={options}
      chosen={options.filter(({ value }) => lesson_type_ids?.includes(value))}
      onChange={(values) => onChange({ lesson_type_ids: values.length > 0 ? [...values] : null })}
      without={(label) => t('studentBooking.without', { label })}
    />
  )
}
