import { useTranslation } from 'react-i18next'
import type { Instructor } from '../../contract/instructor.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { Icon } from '../ui/icon.tsx'
import { nameOf } from '../ui/school.tsx'
import { type BoardSearch, showFor } from './board-search.ts'
import toolbar from './board-toolbar.module.css'
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
  const swapped = (index: number) =>
    ids.flatMap((id, at) =>
      at === index ? [ids[index + 1] ?? id] : at === index + 1 ? [ids[index] ?? id] : id,
    )

  return (
    <Disclosure
      className={toolbar.control}
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
            {[...shown, ...hidden].map((instructor, index) => {
              const isShown = index < shown.length
              const name = nameOf(instructor)
              return (
                <li key={instructor.id}>
                  <label className={css.name}>
                    <input
                      type="checkbox"
                      checked={isShown}
                      onChange={() =>
                        show(isShown ? ids.filter((id) => id !== instructor.id) : [...ids, instructor.id])
                      }
                    />
                    {name}
                  </label>
                  <button
                    type="button"
                    aria-label={t('board.moveUp', { name })}
                    disabled={!isShown || index === 0}
                    onClick={() => show(swapped(index - 1))}
                  >
                    <Icon name="chevronLeft" size={16} />
                  </button>
                  <button
                    type="button"
                    aria-label={t('board.moveDown', { name })}
                    disabled={!isShown || index === shown.length - 1}
                    onClick={() => show(swapped(index))}
                  >
                    <Icon name="chevronRight" size={16} />
                  </button>
                </li>
              )
            })}
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
