# SPDX-License-Identifier: MIT
# A thin front for Meson: `make run` and `make test` are all that a newcomer needs to type.

BUILD  ?= build
PREFIX ?= /usr/local

.PHONY: all run test check bench install uninstall dist deb clean format

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD)

$(BUILD)/build.ninja:
	@scripts/setup
	@meson setup $(BUILD) --prefix=$(PREFIX)

# A tour of everything, in under a minute.
run: all
	@$(BUILD)/holos demo

# The whole test suite; the last line says `N passed, N failed`.
test: all
	@scripts/test $(BUILD)

# Sanitizers, static analysis, formatting, fuzzing.
check:
	@scripts/setup check
	@scripts/check

bench: all
	@$(BUILD)/holos bench

install: all
	@meson configure $(BUILD) --prefix=$(PREFIX)
	@meson install -C $(BUILD)

uninstall:
	@ninja -C $(BUILD) uninstall

# A tarball of the committed tree: the same commit gives the same bytes.
dist:
	@scripts/dist

# Debian packages, in out/.
deb:
	@scripts/setup package
	@scripts/deb out

format:
	@git ls-files '*.c' '*.h' | xargs clang-format -i

clean:
	@rm -rf $(BUILD) build-*
