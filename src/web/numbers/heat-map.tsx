import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { SchoolNumbers } from '../data/numbers.ts'
import { nameOf, useSchool } from '../ui/school.tsx'
import { Figure, WideTable } from './figure.tsx'
import css from './numbers-page.module.css'
import { RowsLink, showRows } from './rows-link.tsx'
import { useFormats } from './use-formats.ts'

type WeekOfUse = SchoolNumbers['use'][number]

/** The sizes of a cell, of the names beside and of the weeks above. */
const [HEIGHT, NAMES, HEAD] = [28, 120, 20] as const
const WIDTHS = { few: 56, many: 22 } as const
const FEW_WEEKS = 14

/** The use of working hours by instructor and week: the darker, the fuller. */
export function HeatMap({ use }: { readonly use: readonly WeekOfUse[] }) {
  const school = useSchool()
  const { t } = useTranslation()
  const navigate = useNavigate({ from: '/numbers' })
  const { percent, hours, week: weekName } = useFormats()
  const weeks = [...new Set(use.map(({ week }) => week))].toSorted()
  const instructors = [...Map.groupBy(use, ({ instructor_id }) => instructor_id)]
  const personName = (id: string) => {
    const person = school.instructor.get(id)
    return person ? nameOf(person) : t('numbers.formerInstructor')
  }
  const isFew = weeks.length <= FEW_WEEKS
  const width = isFew ? WIDTHS.few : WIDTHS.many
  const textOf = (one: WeekOfUse) =>
    one.available_minutes === null
      ? t('numbers.workedOnly', { worked: hours(one.worked_minutes) })
      : t('numbers.ofAvailable', {
          worked: hours(one.worked_minutes),
          available: hours(one.available_minutes),
          share: percent(shareOf(one)),
        })
  return (
    <Figure
      isWide
      title={t('numbers.use.title')}
      about={t('numbers.use.about')}
      columns={[t('field.instructor'), ...weeks.map(weekName)]}
      rows={instructors.map(([id, own]) => ({
        key: id,
        name: personName(id),
        cells: weeks.map((week) => {
          const one = own.find((cell) => cell.week === week)
          return one && one.worked_minutes > 0 ? (
            <RowsLink
              key={week}
              rows={one.rows}
              label={`${personName(id)}, ${weekName(week)}: ${textOf(one)}`}
            >
              {one.available_minutes ? percent(shareOf(one)) : hours(one.worked_minutes)}
            </RowsLink>
          ) : (
            '–'
          )
        }),
      }))}
    >
      <WideTable>
        <svg
          role="img"
          aria-label={t('numbers.use.title')}
          className={css.heat}
          viewBox={`0 0 ${NAMES + weeks.length * width} ${HEAD + instructors.length * HEIGHT}`}
          style={{ inlineSize: NAMES + weeks.length * width }}
        >
          {weeks.map((week, column) =>
            isFew || (column % 4 === 0 && column + 1 < weeks.length) ? (
              <text key={week} x={NAMES + column * width + 2} y={14} className={css.axis}>
                {weekName(week)}
              </text>
            ) : null,
          )}
          {instructors.map(([id, own], row) => (
            <g key={id} transform={`translate(0 ${HEAD + row * HEIGHT})`}>
              <text x={0} y={19} className={css.axis}>
                {shortened(personName(id))}
              </text>
              {own.map((one) => (
                // biome-ignore lint/a11y/noStaticElementInteractions: the table has the links for keys
                <g
                  key={one.week}
                  transform={`translate(${NAMES + weeks.indexOf(one.week) * width} 0)`}
                  className={css.cell}
                  data-level={levelOf(one)}
                  onClick={() => void navigate({ search: showRows(one.rows) })}
                >
                  <title>{`${personName(id)}, ${weekName(one.week)}: ${textOf(one)}`}</title>
                  <rect x={1} y={1} width={width - 2} height={HEIGHT - 2} rx={3} />
                  {isFew && (
                    <text x={width / 2} y={19} textAnchor="middle">
                      {one.available_minutes
                        ? percent(shareOf(one))
                        : one.worked_minutes > 0
                          ? hours(one.worked_minutes)
                          : ''}
                    </text>
                  )}
                </g>
              ))}
            </g>
          ))}
        </svg>
      </WideTable>
      <Legend />
    </Figure>
  )
}

const LEVELS = ['idle', 'low', 'half', 'high', 'full', 'over', 'none'] as const
const BY_QUARTERS = ['low', 'half', 'high', 'full'] as const

function Legend() {
  const { t } = useTranslation()
  return (
    <ul className={css.legend}>
      {LEVELS.map((level) => (
        <li key={level}>
          <svg width="14" height="14" aria-hidden="true" className={css.cell} data-level={level}>
            <rect width="14" height="14" rx="3" />
          </svg>
          {t(`numbers.level.${level}`)}
        </li>
      ))}
    </ul>
  )
}

function shareOf({ worked_minutes, available_minutes }: WeekOfUse): number {
  return available_minutes ? worked_minutes / available_minutes : 0
}

/** Returns one of five steps of colour, `over` beyond the working hours, `none` without any. */
function levelOf(one: WeekOfUse): (typeof LEVELS)[number] {
  if (!one.available_minutes) return one.worked_minutes > 0 && one.available_minutes === 0 ? 'over' : 'none'
  const share = shareOf(one)
  if (share > 1) return 'over'
  return share === 0 ? 'idle' : (BY_QUARTERS[Math.ceil(share * 4) - 1] ?? 'full')
}

const LONGEST_NAME = 17

function shortened(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name
}
