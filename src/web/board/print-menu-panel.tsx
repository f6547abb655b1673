import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Instructor } from '../../contract/instructor.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import { nameOf } from '../ui/school.tsx'
import css from './print-menu-panel.module.css'

export type PrintMenuPanelProps = {
  readonly date: LocalDate
  readonly shown: readonly Instructor[]
}

/** The choices of a print. */
export default function PrintMenuPanel(props: PrintMenuPanelProps & { readonly onClose: () => void }) {
  const { date, shown, onClose } = props
  const { t } = useTranslation()
  return (
    <div className={css.menu}>
      <button
        type="button"
        onClick={() => {
          onClose()
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
  )
}
