import { useTranslation } from 'react-i18next'
import type { Instructor } from '../../contract/instructor.ts'
import { Button } from '../ui/button.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { Icon } from '../ui/icon.tsx'
import { nameOf } from '../ui/school.tsx'
import { type BoardSearch, showFor } from './board-search.ts'
import css from './instructor-filter.module.css'

type InstructorFilterProps = {
  readonly search: BoardSearch
  /** Who can have a column. */
  readonly choice: readonly Instructor[]
  readonly shown: readonly Instructor[]
  readonly go: (change: Partial<BoardSearch>) => void
}

/** Whose columns are shown, and in which order. */
export function InstructorFilter({ search, choice, shown, go }: InstructorFilterProps) {
  const { t } = useTranslation()
  const hidden = choice.filter((instructor) => !shown.includes(instructor))
  const ids = shown.map(({ id }) => id)
  const show = (next: readonly string[]) => go({ show: showFor(next, choice) })
  const toggle = (id: string) => show(ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id])
  const swapped = (index: number) =>
    ids.flatMap((id, at) =>
      at === index ? [ids[index + 1] ?? id] : at === index + 1 ? [ids[index] ?? id] : id,
    )

  return (
    <Disclosure
      label={
        <>
          <Icon name="instructor" />
          <span>
            {t('board.instructors')} {t('board.shownOf', { shown: shown.length, all: choice.length })}
          </span>
        </>
      }
    >
      {() => (
        <>
          <ul className={css.list}>
            {[...shown, ...hidden].map((instructor, index) => (
              <Row
                key={instructor.id}
                name={nameOf(instructor)}
                isShown={index < shown.length}
                isFirst={index === 0}
                isLast={index === shown.length - 1}
                onToggle={() => toggle(instructor.id)}
                onMove={(by) => show(swapped(by < 0 ? index - 1 : index))}
              />
            ))}
          </ul>
          <button
            type="button"
            className={css.all}
            disabled={search.show === undefined}
            onClick={() => go({ show: undefined })}
          >
            {t('board.showAll')}
          </button>
        </>
      )}
    </Disclosure>
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
