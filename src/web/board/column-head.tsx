import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import type { Instructor } from '../../contract/instructor.ts'
import type { Meter } from '../lessons/meter.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { initialsOf, nameOf, useSchool } from '../ui/school.tsx'
import { MeterBar } from './meter-bar.tsx'

type InstructorHeadProps = {
  readonly instructor: Instructor
  readonly meter: Meter
  readonly openWeek: (instructorId: string) => void
  readonly open: (page: '/day-sheet' | '/absence', instructorId: string) => void
}

/** Shows the head of an instructor's column: the name opens the week, the icons the absence and the day sheet. */
export function InstructorHead({ instructor, meter, openWeek, open }: InstructorHeadProps) {
  const { t } = useTranslation()
  const { id, active, color } = instructor
  const name = nameOf(instructor)
  const isFailing = useSchool().days?.busy.get(id)?.is_failing
  const link = (icon: IconName, label: string, page: Parameters<typeof open>[0]) => (
    <button
      type="button"
      className="column-link"
      title={label}
      aria-label={label}
      onClick={() => open(page, id)}
    >
      <Icon name={icon} size={16} />
    </button>
  )
  return (
    <div className="column-head">
      <button
        type="button"
        className="column-name"
        title={t('board.weekOf', { name })}
        onClick={() => openWeek(id)}
      >
        <span className="person" style={{ '--person': color } as CSSProperties} aria-hidden>
          {initialsOf(instructor)}
        </span>
        {isFailing && (
          <span title={t('board.calendarFailing')} role="img" aria-label={t('board.calendarFailing')}>
            ⚠
          </span>
        )}
        <span className="column-text">{active ? name : `${name} (${t('board.inactive')})`}</span>
      </button>
      <div className="column-links">
        {link('alert', t('board.fallsOut', { name }), '/absence')}
        {link('print', t('sheet.of', { name }), '/day-sheet')}
      </div>
      <MeterBar {...meter} />
    </div>
  )
}

/** Shows the head of a day; `special` is the name of its holiday or closure. */
export function DayHead({ label, meter, special }: { label: string; meter: Meter; special: string }) {
  return (
    <span className="day-head">
      {label}
      {special && <span className="special-day">{special}</span>}
      <MeterBar {...meter} />
    </span>
  )
}
