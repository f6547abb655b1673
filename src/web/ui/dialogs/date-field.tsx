import { Popover, TextInput } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { daysLater, type LocalDate } from '../../../domain/local-time.ts'
import { STUDENT_AGE } from '../../../domain/typed-date.ts'
import { type DateFieldValue, type DateText, useDateText } from '../use-date-text.ts'
import css from './date-field.module.css'
import { Dates, useCalendarLabels, useDayMarks } from './dates.tsx'
import { focusWhole, selectWhole } from './whole-text.ts'

type DateFieldProps = DateFieldValue & {
  readonly label: string
  /** Whether only screen readers get the label. */
  readonly isLabelHidden?: boolean
  readonly placeholder?: string
  /** Whether the date in words is only above the calendar, not below the field. */
  readonly isHintHidden?: boolean
  readonly className?: string | undefined
  readonly autoFocus?: boolean
  /** Whether it has the focus when its dialog opens. */
  readonly isFirst?: boolean
  readonly onFocus?: () => void
}

/** A date, typed or picked. An invalid text stays, is marked, and keeps the form from being sent. */
export function DateField(props: DateFieldProps) {
  const { label, isLabelHidden = false, isHintHidden = false, placeholder, className, autoFocus } = props
  const field = useDateText(props)
  const { input, hint, date } = field
  const [isOpen, setOpen] = useState(false)
  // The initial focus by the dialog does not open the calendar.
  const isGivenFocus = useRef(props.isFirst === true)
  const leave = () => {
    setOpen(false)
    field.leave()
  }
  return (
    <Popover
      opened={isOpen}
      trapFocus={false}
      position="bottom-start"
      withRoles={false}
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        {/* Includes the text below the field, which the calendar must not cover. */}
        <div className={className}>
          <TextInput
            ref={input}
            data-dates-input
            {...(props.isFirst && { 'data-autofocus': true })}
            {...(isLabelHidden ? { 'aria-label': label } : { label })}
            {...(placeholder !== undefined && { placeholder })}
            {...(autoFocus && { autoFocus })}
            autoComplete="off"
            description={!isHintHidden && field.fault === undefined && hint && <Hint hint={hint} />}
            error={field.fault}
            value={field.text}
            onChange={({ currentTarget }) => {
              setOpen(true)
              field.type(currentTarget.value)
            }}
            onFocus={({ currentTarget }) => {
              setOpen(!isGivenFocus.current)
              isGivenFocus.current = false
              selectWhole(currentTarget)
              props.onFocus?.()
            }}
            onMouseDown={focusWhole}
            onClick={() => setOpen(true)}
            onKeyDown={(event) => pressIn(event, { field, isOpen, leave, close: () => setOpen(false) })}
            onInvalid={field.complain}
            onBlur={leave}
          />
        </div>
      </Popover.Target>
      <Popover.Dropdown data-dates-dropdown onMouseDown={(event) => event.preventDefault()}>
        {isHintHidden && hint && (
          <p className={css.above} aria-hidden>
            <Hint hint={hint} />
          </p>
        )}
        <Calendar {...props} date={date} field={field} onPick={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}

function Hint({ hint }: { readonly hint: NonNullable<DateText['hint']> }) {
  return <span className={hint.isOdd ? css.odd : undefined}>{hint.text}</span>
}

type Keys = {
  readonly field: DateText
  readonly isOpen: boolean
  readonly leave: () => void
  readonly close: () => void
}

/** Handles keys: arrows change the day, Escape first closes the calendar, Enter parses the text before the form is sent. */
function pressIn(event: KeyboardEvent, { field, isOpen, leave, close }: Keys): void {
  const days = { ArrowUp: 1, ArrowDown: -1 }[event.key]
  if (event.key === 'Enter') leave()
  if (event.key === 'Escape' && isOpen) {
    event.stopPropagation()
    close()
  }
  if (days === undefined || field.date === '') return
  event.preventDefault()
  field.take(daysLater(field.date, days))
}

type CalendarProps = DateFieldValue & {
  readonly date: LocalDate
  readonly field: DateText
  readonly onPick: () => void
}

function Calendar({ kind, min, max, date, field, isOptional, onPick }: CalendarProps) {
  const { t } = useTranslation()
  const ariaLabels = useCalendarLabels()
  const marks = useDayMarks()
  const { year, today, take } = field
  const isBirth = kind === 'birth'
  const first = year ? `${year}-01-01` : date || (isBirth ? yearsBefore(today, 18) : today)
  const [shown, setShown] = useState(first)
  useEffect(() => setShown(first), [first])
  return (
    <Dates>
      <DatePicker
        key={String(year)}
        ariaLabels={ariaLabels}
        {...(!isBirth && { getDayProps: marks })}
        // Tab skips the calendar below the field.
        __preventFocus
        value={date || null}
        date={shown}
        onDateChange={setShown}
        onChange={(picked) => {
          if (picked) take(picked)
          onPick()
        }}
        minDate={isBirth ? yearsBefore(today, STUDENT_AGE.max) : min}
        maxDate={isBirth ? yearsBefore(today, STUDENT_AGE.min) : max}
        defaultLevel={year ? 'year' : isBirth && date === '' ? 'decade' : 'month'}
      />
      {isOptional && date !== '' && (
        <button
          type="button"
          tabIndex={-1}
          className={css.clear}
          onClick={() => {
            take('')
            onPick()
          }}
        >
          {t('changes.clear')}
        </button>
      )}
    </Dates>
  )
}

function yearsBefore(date: LocalDate, years: number): LocalDate {
  return `${Number(date.slice(0, 4)) - years}${date.slice(4, 8)}01`
}
