import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import css from './numbers-page.module.css'

type FigureProps = {
  readonly title: string
  readonly about: string
  readonly columns: readonly string[]
  readonly rows: readonly {
    readonly key: string
    readonly name: string
    readonly cells: readonly ReactNode[]
  }[]
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** A plot with its numbers in a table behind it. */
export function Figure({ title, about, columns, rows, isWide, children }: FigureProps) {
  const { t } = useTranslation()
  const [first = '', ...others] = columns
  return (
    <section className={css.figure} data-wide={isWide || undefined} aria-label={title}>
      <h2>{title}</h2>
      <p className={css.about}>{about}</p>
      {rows.length === 0 ? <p className={css.about}>{t('numbers.nothing')}</p> : children}
      {rows.length > 0 && (
        <details className={css.table}>
          <summary>{t('numbers.table')}</summary>
          <WideTable>
            <table>
              <thead>
                <tr>
                  <th>{first}</th>
                  {others.map((one) => (
                    <th key={one} className={css.number}>
                      {one}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map(({ key, name, cells }) => (
                  <tr key={key}>
                    <th scope="row">{name}</th>
                    {cells.map((cell, index) => (
                      <td key={others[index]} className={css.number}>
                        {cell}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </WideTable>
        </details>
      )}
    </section>
  )
}

export type Bar = {
  readonly key: string
  readonly name: string
  readonly value: number
  readonly before?: number | undefined
  readonly text: string
}

/** The height of a row in pixels, and the end of the longest bar in percent: its number stands beside it. */
const [ROW, LONGEST] = [42, 62] as const

/** Bars below their names, each with its number and a line for the period before. */
export function Bars({
  bars,
  label,
  max,
}: {
  readonly bars: readonly Bar[]
  readonly label: string
  readonly max?: number
}) {
  const most = max ?? Math.max(1, ...bars.flatMap(({ value, before = 0 }) => [value, before]))
  const width = (value: number) => `${(LONGEST * Math.min(value, most)) / most}%`
  return (
    <svg className={css.bars} role="img" aria-label={label} width="100%" height={bars.length * ROW}>
      {bars.map(({ key, name, value, before, text }, index) => (
        <g key={key} transform={`translate(0 ${index * ROW})`}>
          <title>{`${name}: ${text}`}</title>
          <text x="0" y="14">
            {name}
          </text>
          <rect className={css.bar} x="0" y="20" width={width(value)} height="14" rx="2" />
          {before !== undefined && (
            <rect className={css.before} x="0" y="35" width={width(before)} height="2" />
          )}
          <text x={width(value)} dx="6" y="32" className={css.value}>
            {text}
          </text>
        </g>
      ))}
    </svg>
  )
}

/** A plot or table that scrolls sideways where it is wider than the page, also by keys. */
export function WideTable({ children }: { readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: must be focusable to scroll by keys
    <div className={css.wideTable} tabIndex={0}>
      {children}
    </div>
  )
}
