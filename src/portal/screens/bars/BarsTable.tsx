import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { ListedProductionPlanBar } from '../../api/generated.ts'
import type { ListState } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { useFilters } from '../../kit/filters.tsx'
import { Table } from '../../kit/Table.tsx'
import { useTexts } from '../../texts/texts.ts'
import { useBarColumns } from './barColumns.tsx'

interface BarsTableProps {
  readonly list: ListState<ListedProductionPlanBar>
  readonly empty: ReactNode
  /** All bars are of one plan, and each is drawn to scale. */
  readonly isOnePlan?: boolean
}

/** Bars as a table, in the order of their plans. */
export function BarsTable({ list, empty, isOnePlan = false }: BarsTableProps) {
  const { t } = useTexts()
  const filters = useFilters()
  const columns = useBarColumns(list.rows ?? [], {
    isOnePlan,
    // Sorted bars have no headings that name their plans.
    isInPlans: isOnePlan || filters.value('sort') === '',
  })
  return (
    <Table
      label={t('bars')}
      name="bars"
      list={list}
      rowKey={({ barId }) => barId}
      columns={columns}
      empty={empty}
      {...(!isOnePlan && { groupOf: planOf, groupText: (bar: ListedProductionPlanBar) => <Plan {...bar} /> })}
    />
  )
}

const planOf = ({ planId }: ListedProductionPlanBar) => planId

function Plan({ planId, planName }: Pick<ListedProductionPlanBar, 'planId' | 'planName'>) {
  return <Link href={pathIn(useCompanyId(), `/plans/${planId}`)}>{planName}</Link>
}
