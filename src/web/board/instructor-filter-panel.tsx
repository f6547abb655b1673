import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Instructor } from '../../contract/instructor.ts'
import { Button } from '../ui/button.tsx'
import field from '../ui/field.module.css'
import { searchPeople } from '../ui/find-people.ts'
import { nameOf, useSchool } from '../ui/school.tsx'
import { type BoardSearch, showFor, WORKING } from './board-search.ts'
import css from './instructor-filter.module.css'

export type InstructorFilterProps = {
  readonly search: BoardSearch
  /** The instructors who can have a column. */
  readonly choice: readonly Instructor[]
  readonly shown: readonly Instructor[]
  readonly go: (change: Partial<BoardSearch>) => void
}

/** The least number of instructors for a search field. */
const MANY = 8

/** Chooses columns and their order. */
export default function InstructorFilterPanel({ search, choice, shown, go }: InstructorFilterProps) {
  const { t } = useTranslation()
  const school = useSchool()
  const [q, setQ] = useState('')
  const rows = [...shown, ...choice.filter((instructor) => !shown.includes(instructor))]
  const found = new Set(searchPeople(choice, school)(q))
  const isFound = (instructor: Instructor) => choice.length < MANY || found.has(instructor)
  const ids = shown.map(({ id }) => id)
  const show = (next: readonly string[]) => go({ show: showFor(next, choice) })
  const toggle = (id: string) => show(ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id])
  const swapped = (index: number) =>
    ids.flatMap((id, at) =>
      at === index ? [ids[index + 1] ?? id] : at === index + 1 ? [ids[index] ?? id] : id,
    )

  return (
    <>
      <Presets search={search} choice={choice} go={go} />
      {choice.length >= MANY && (
        <input
          type="search"
          className={`${field.field} ${css.search}`}
          aria-label={t('filter.search')}
          placeholder={t('filter.search')}
          value={q}
          onChange={({ target }) => setQ(target.value)}
        />
      )}
      <ul className={css.list}>
        {rows.filter(isFound).map((instructor) => {
          const index = rows.indexOf(instructor)
          return (
            <Row
              key={instructor.id}
              name={nameOf(instructor)}
              isShown={index < shown.length}
              isFirst={index === 0}
              isLast={index === shown.length - 1}
              onToggle={() => toggle(instructor.id)}
              onMove={(by) => show(swapped(by < 0 ? index - 1 : index))}
            />
          )
        })}
      </ul>
    </>
  )
}

/** Offers to show all instructors, none, those who work on the day shown, or those of a branch. */
function Presets({ search, choice, go }: Pick<InstructorFilterProps, 'search' | 'choice' | 'go'>) {
  const { locations } = useSchool()
  const { t } = useTranslation()
  const ofBranch = (id: string) => choice.flatMap((one) => (one.location_id === id ? one.id : []))
  const presets = [
    [undefined, t('filter.all')],
    [WORKING, t('filter.working')],
    ['', t('filter.none')],
    ...(locations.length > 1
      ? locations.map(({ id, name }) => [showFor(ofBranch(id), choice), name] as const)
      : []),
  ] as const
  return (
    <div className={css.presets}>
      {presets.map(([show, text]) => (
        <Button
          key={text}
          look={search.show === show ? 'chosen' : 'plain'}
          aria-pressed={search.show === show}
          onClick={() => go({ show })}
        >
          {text}
        </Button>
      ))}
    </div>
  )
}

type RowProps = {
  readonly name: string
  readonly isShown: boolean
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onToggle: () => void
  readonly onMove: (by: -1 | 1) => void
}

function Row({ name, isShown, isFirst, isLast, onToggle, onMove }: RowProps) {
  const { t } = useTranslation()
  return (
    <li>
      <label className={css.name}>
        <input type="checkbox" checked={isShown} onChange={onToggle} />
        {name}
      </label>
      <Button
        look="bare"
        icon="chevronLeft"
        aria-label={t('board.moveUp', { name })}
        disabled={!isShown || isFirst}
        onClick={() => onMove(-1)}
      />
      <Button
        look="bare"
        icon="chevronRight"
        aria-label={t('board.moveDown', { name })}
        disabled={!isShown || isLast}
        onClick={() => onMove(1)}
      />
    </li>
  )
}
