/* SPDX-License-Identifier: MIT */

#include "game/experiment.h"

#include "core/file.h"

holos_status experiment_write(const experiment_task *task, const char *name, const text *table,
                              holos_error *err)
{
    file_writer w;
    text path;
    if (task->folder == NULL)
        return HOLOS_OK;
    text_init(&path);
    text_printf(&path, "%s/%s", task->folder, name);
    holos_status status = path.failed || table->failed ? error_system(err, "the table %s", name)
                                                       : file_make_folder(task->folder, err);
    if (status == HOLOS_OK)
        status = file_create(&w, path.data, err);
    if (status == HOLOS_OK) {
        file_write(&w, table->data, table->length);
        status = file_commit(&w, err);
    }
    text_free(&path);
    return status;
}
