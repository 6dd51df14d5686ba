// Tables of pictures: the text of a PLOY_SHAPE_TABLE taken apart, shared by all sinks.
#include <string.h>

#include "inspect/inspect_internal.h"
#include "ploy/base/utf8.h"

// The letters of the first line.
static int32_t table_columns(const char *text, ployi_table *table) {
    int32_t count = 0;
    for (; *text != 0 && *text != '\n'; text++) {
        if (*text != 'l' && *text != 'r' && *text != 'c') return 0;
        if (count == PLOYI_TABLE_COLUMNS) return 0;
        table->align[count++] = *text;
    }
    table->at = *text == '\n' ? text + 1 : text;
    return count;
}

static int32_t table_letters(const char *text, size_t size) {
    int32_t count = 0;
    for (size_t at = 0; at < size; count++) (void)ploy_utf8_next(text, size, &at);
    return count;
}

bool ployi_table_begin(const char *text, ployi_table *table) {
    memset(table, 0, sizeof *table);
    if (text == NULL) return false;
    table->columns = table_columns(text, table);
    if (table->columns == 0 || *table->at == 0) return false;
    ployi_table walk = *table;
    ployi_table_cell cell;
    while (ployi_table_next(&walk, &cell)) {
        if (cell.letters > table->letters[cell.column]) table->letters[cell.column] = cell.letters;
        table->rows = cell.row + 1;
    }
    return true;
}

bool ployi_table_next(ployi_table *table, ployi_table_cell *cell) {
    if (*table->at == 0 && table->column == 0) return false;
    const char *end = table->at;
    while (*end != 0 && *end != '\n' && *end != '\t') end++;
    cell->text = table->at;
    cell->size = (size_t)(end - table->at);
    cell->letters = table_letters(cell->text, cell->size);
    cell->row = table->row;
    cell->column = table->column;
    bool last = table->column + 1 == table->columns;
    if (*end == '\t' && !last) {
        table->at = end + 1;
        table->column++;
        return true;
    }
    while (*end != 0 && *end != '\n') end++; // cells beyond the last column are left out
    if (!last) {                             // those that are missing are empty
        table->at = end;
        table->column++;
        return true;
    }
    table->at = *end == '\n' ? end + 1 : end;
    table->column = 0;
    table->row++;
    return true;
}
