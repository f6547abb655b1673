import { Fragment, type KeyboardEvent, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Slot } from '../../contract/slot.ts'
import type { Warning } from '../../domain/warnings.ts'
import { whenText } from '../lessons/lesson-texts.ts'
import { warningMessages } from '../lessons/warning-messages.ts'
import { Icon } from '../ui/icon.tsx'
import { nameOf, useSchool } from '../ui/school.tsx'
import css from './finder.module.css'
import { slotIdOf } from './offered.ts'

export type SeveralTimes = {
  /** The ids of all chosen slots. */
  readonly ids: readonly string[]
  readonly toggle: (slot: Slot) => void
  /** Keeps the form's time in the selection, or releases it. */
  readonly keep: () => void
}

type SlotListProps = {
  readonly slots: readonly Slot[]
  /** The number of leading slots that are the requested time with other instructors. */
  readonly same: number
  /** The id of the form's time. */
  readonly chosen: string
  readonly onPick: (slot: Slot) => void
  /** Called with the id of the slot under the mouse; empty if there is none. */
  readonly onPoint: (id: string) => void
  /** Undefined if only one time can be chosen. */
  readonly several: SeveralTimes | undefined
}

/** A list of free times. A row or the arrow keys choose one, a checkbox or the space bar further ones. Enter submits the form. */
export function SlotList({ slots, same, chosen, onPick, onPoint, several }: SlotListProps) {
  const { t } = useTranslation()
  const name = useId()
  const isByKey = useRef(false)
  const isToggling = several !== undefined && several.ids.length > 1
  const press = (event: KeyboardEvent) => {
    isByKey.current = true
    if (event.key !== ' ' || !isRadio(event.target)) return
    event.preventDefault()
    several?.keep()
  }
  return (
    <div
      className={css.slots}
      role="radiogroup"
      aria-label={t('slots.times')}
      onKeyDown={press}
      onPointerLeave={() => onPoint('')}
      onPointerDown={() => {
        isByKey.current = false
      }}
    >
      {slots.map((slot, index) => {
        const id = slotIdOf(slot)
        const isChosen = id === chosen || several?.ids.includes(id)
        return (
          <Fragment key={id}>
            {same > 0 && index === 0 && <p className={css.heading}>{t('slots.sameTime')}</p>}
            {same > 0 && index === same && <p className={css.heading}>{t('slots.otherTimes')}</p>}
            <div
              className={css.slot}
              data-chosen={isChosen || undefined}
              onPointerEnter={({ pointerType }) => pointerType === 'mouse' && onPoint(id)}
            >
              {several && (
                <AlsoThis slot={slot} isChosen={several.ids.includes(id)} onToggle={several.toggle} />
              )}
              <label className={css.row} data-several={several && ''}>
                <input
                  type="radio"
                  name={name}
                  checked={id === chosen}
                  // Arrow keys move the choice. A click adds a time if several are chosen.
                  onChange={() => (isToggling && !isByKey.current ? several.toggle(slot) : onPick(slot))}
                />
                <SlotText slot={slot} />
              </label>
            </div>
          </Fragment>
        )
      })}
    </div>
  )
}

function isRadio(target: EventTarget): boolean {
  return target instanceof HTMLInputElement && target.type === 'radio'
}

type AlsoThisProps = {
  readonly slot: Slot
  readonly isChosen: boolean
  readonly onToggle: (slot: Slot) => void
}

function AlsoThis({ slot, isChosen, onToggle }: AlsoThisProps) {
  const school = useSchool()
  const person = school.instructor.get(slot.instructor_id)
  const parts = [whenText(slot, school), person && nameOf(person)]
  return (
    <label className={css.also}>
      <input
        type="checkbox"
        aria-label={parts.filter(Boolean).join(' ')}
        checked={isChosen}
        onChange={() => onToggle(slot)}
      />
    </label>
  )
}

function SlotText({ slot }: { slot: Slot }) {
  const school = useSchool()
  const { t } = useTranslation()
  const person = school.instructor.get(slot.instructor_id)
  return (
    <>
      <span className={css.when}>{whenText(slot, school)}</span>
      <span className={css.who}>{person && nameOf(person)}</span>
      {slot.warnings.map((warning) => (
        <span key={warning.code} className={css.warning}>
          <Icon name="alert" size={14} />
          {warningMessages(warning as Warning, slot, school, t)}
        </span>
      ))}
    </>
  )
}
