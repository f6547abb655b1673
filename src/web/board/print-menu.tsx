import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Instructor } from '../../contract/instructor.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { Icon } from '../ui/icon.tsx'
import { nameOf } from '../ui/school.tsx'
import css from './print-menu.module.css'

type PrintMenuProps = {
  readonly date: LocalDate
  readonly shown: readonly Instructor[]
  readonly className: string | undefined
  /** The class of the word beside the icon. */
  readonly wordClass: string | undefined
}

/** Prints the view, or the day sheet of one instructor or of all. */
export function PrintMenu({ date, shown, className, wordClass }: PrintMenuProps) {
  const { t } = useTranslation()
  return (
    <Disclosure
      className={className}
      align="end"
      name={t('action.print')}
      label={
        <>
          <Icon name="print" />
          <span className={wordClass}>{t('action.print')}</span>
        </>
      }
    >
      {(close) => (
        <div className={css.menu}>
          <button
            type="button"
            onClick={() => {
              close()
              window.print()
            }}
          >
            {t('sheet.view')}
          </button>
          <Link to="/day-sheet" search={{ day: date }}>
            {t('sheet.all')}
          </Link>
          {shown.map((instructor) => (
            <Link key={instructor.id} to="/day-sheet" search={{ day: date, instructor: instructor.id }}>
              {t('sheet.of', { name: nameOf(instructor) })}
            </Link>
          ))}
        </div>
      )}
    </Disclosure>
  )
}
