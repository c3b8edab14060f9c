/**
 * The tables of the peer. They hold what its statements know: no former rows, no words for the search and no names of
 * grades, which our own projections build as well.
 */
export const peerTables: readonly string[] = [
  `tag (company_id text, family text, tag_id text, name text, name_key text, color text, description text,
     severity text, active boolean, is_system_tag boolean, last_modified_by text, usage_count integer,
     created_at timestamptz, updated_at timestamptz, revision bigint,
     PRIMARY KEY (company_id, family, tag_id))`,
  `assignment (company_id text, family text, subject_id text, tag_id text, rule_id text, assignment_id text,
     assigned_at timestamptz, PRIMARY KEY (company_id, family, subject_id, tag_id, rule_id))`,
  `certificate (company_id text, mill_certification_id text, certificate_number text, heat_number text,
     number_key text, heat_key text, standard text, grade text, inspection_document text, manufacturer text,
     product_form text, thickness_mm double precision, chemistry jsonb, mechanical jsonb, issued_on text,
     created_at timestamptz, revision bigint, PRIMARY KEY (company_id, mill_certification_id))`,
  `"order" (company_id text, order_id text, order_number text, number_key text, customer text,
     required_inspection_document text, execution_class text, created_at timestamptz, revision bigint,
     PRIMARY KEY (company_id, order_id))`,
  `line_item (company_id text, order_id text, line_item_id text, line_number integer, description text, grade text,
     length_mm double precision, quantity integer, PRIMARY KEY (company_id, order_id, line_item_id))`,
  `plan (company_id text, plan_id text, name text, bar_count integer, created_at timestamptz, created_by text,
     revision bigint, PRIMARY KEY (company_id, plan_id))`,
  `bar (company_id text, bar_id text, plan_id text, planned boolean, status text, stock_length_mm double precision,
     grade text, mill_certification_id text, remnant_mm double precision, created_at timestamptz,
     approved_at timestamptz, started_at timestamptz, completed_at timestamptz, revision bigint,
     PRIMARY KEY (company_id, bar_id))`,
  `cut (company_id text, bar_id text, cut_id text, ordinal integer, order_id text, line_item_id text,
     length_mm double precision, status text, PRIMARY KEY (company_id, bar_id, cut_id))`,
  `line_item_progress (company_id text, order_id text, line_item_id text, accepted integer, begun integer,
     completed integer, status text, PRIMARY KEY (company_id, order_id, line_item_id))`,
]
